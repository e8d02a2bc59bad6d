import { say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { leadsOf } from '../choice/decide';
import { byImage, everyPair } from '../choice/plan';
import { Slices } from '../choice/slices';
import { rateClaims } from '../claimFamily';
import { Clusters, figuresOf } from '../figure';
import { clusterOf } from '../metric';
import type { Findings, PairProbe, Plan } from '../probe';
import type { WinogroundRow } from './row';
import { matrixOf, winogroundView } from './view';

export const winoground: PairProbe<Plan, WinogroundRow> = {
  ...winogroundView,
  slicesInTableOnly: true,
  options: [],

  claims: (metrics) =>
    rateClaims(metrics, [
      // The chance level is 1/4 for two comparisons together, and 1/6 for all four.
      {
        id: 'winoground.group',
        chance: 1 / 6,
        words: {
          above: say('winoground.groupAboveChance'),
          across: say('winoground.groupNotFromChance'),
          below: say('winoground.groupBelowChance'),
        },
      },
      {
        id: 'winoground.text',
        chance: 1 / 4,
        words: {
          above: say('winoground.textAboveChance'),
          across: say('winoground.textNotFromChance'),
          below: say('winoground.textBelowChance'),
        },
      },
    ]),

  needs: () => ['image-text'],

  refuse(example, { scores, image }) {
    if (example.form !== 'crossed') return say('winoground.notTwoPairs');
    if (!scores.includes('image-text')) return say('choice.evaluatorLacksImageScores');
    return everyPair(ordered(example), image) === undefined ? say('choice.imageMissing') : undefined;
  },

  plan: (example, { image }) => ({ wants: everyPair(ordered(example), image)! }),

  kinds: () => ['own caption', 'other caption', 'other caption', 'own caption'],

  measure(example, _plan, scores) {
    if (scores.some(Number.isNaN)) return [];
    const [first, second] = ordered(example).captions;
    const [[c0i0, c1i0], [c0i1, c1i1]] = byImage(scores, 2, 2);
    const leads = leadsOf(matrixOf({ c0i0, c1i0, c0i1, c1i1 }));
    const [text, image] = [leads.text! > 0, leads.image! > 0];
    return [
      {
        example: example.id,
        row: example.row,
        place: example.place,
        image: example.images[0].name,
        captions: [first.text, second.text],
        images: [example.images[0].name, example.images[1].name],
        c0i0,
        c1i0,
        c0i1,
        c1i1,
        right: { text, image, group: text && image },
        ...(Object.keys(example.attributes).length === 0 ? {} : { tags: example.attributes }),
      },
    ];
  },

  faults({ captions, c0i0, c1i0, c0i1, c1i1 }) {
    const [a, b] = captions;
    const score = (value: number): string => value.toFixed(4);
    const comparisons: [Words, number, number][] = [
      [say('winoground.firstImageWrongCaption', score(c1i0), b, score(c0i0), a), c0i0, c1i0],
      [say('winoground.secondImageWrongCaption', score(c0i1), a, score(c1i1), b), c1i1, c0i1],
      [say('winoground.firstCaptionWrongImage', a, score(c0i1), score(c0i0)), c0i0, c0i1],
      [say('winoground.secondCaptionWrongImage', b, score(c1i0), score(c1i1)), c1i1, c1i0],
    ];
    return comparisons
      .filter(([, own, other]) => !(own > other))
      .map(([message, own, other]) => ({ message, size: other - own }))
      .sort((one, other) => other.size - one.size);
  },

  shares: ({ right: { text, image, group } }) => [
    { metric: 'winoground.text', value: text ? 1 : 0, better: 'higher' },
    { metric: 'winoground.image', value: image ? 1 : 0, better: 'higher' },
    { metric: 'winoground.group', value: group ? 1 : 0, better: 'higher' },
  ],

  summary() {
    const clusters = new Clusters();
    const names = ['text', 'image', 'group'] as const;
    const figures = figuresOf(...names);
    const slices = new Slices();
    return {
      add(row) {
        const cluster = clusters.of(clusterOf(row));
        const leads = leadsOf(matrixOf(row));
        for (const name of names) {
          figures[name].compare(leads[name]!, 0, cluster);
          slices.compare(row.tags, name, leads[name]!, cluster);
        }
      },
      soFar: () => names.map((name) => figures[name].soFar(`winoground.${name}`, { rate: true })),
      *finish(): Steps<Findings> {
        const metrics = [
          ...(yield* eachOf(names, (name) => figures[name].metric(`winoground.${name}`, { rate: true }))),
          ...(yield* allOf(names, (name) => slices.metrics(`winoground.${name}`, name, figures.text.n))),
        ];
        return { metrics, warnings: [] };
      },
    };
  },
};

/** The captions in the order of their images. */
function ordered({ images, captions }: Example): Pick<Example, 'images' | 'captions'> {
  return { images, captions: [0, 1].map((i) => captions.find(({ image }) => image === i)!) };
}
