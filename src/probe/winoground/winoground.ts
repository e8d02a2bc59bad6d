import { english, say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { leadsOf } from '../choice/decide';
import { byImage, everyPair } from '../choice/plan';
import { Slices } from '../choice/slices';
import { rateClaims } from '../claimFamily';
import { Clusters, Figure } from '../figure';
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
          above: say`It matches two captions with two images correctly more often than chance.`,
          across: say`Its matches of two captions with two images cannot be told from chance.`,
          below: say`It matches two captions with two images correctly less often than chance.`,
        },
      },
      {
        id: 'winoground.text',
        chance: 1 / 4,
        words: {
          above: say`Given an image, it prefers the image's own caption more often than chance.`,
          across: say`Given an image, its choices between the two captions cannot be told from chance.`,
          below: say`Given an image, it prefers the image's own caption less often than chance.`,
        },
      },
    ]),

  refuse(example, { scores, image }) {
    if (example.form !== 'crossed') return english(say`it is not two images with one caption each`);
    if (!scores.includes('image-text'))
      return english(say`the evaluator does not score images with captions`);
    return everyPair(ordered(example), image) === undefined
      ? english(say`one of its images was not found`)
      : undefined;
  },

  plan: (example, { image }) => ({ wants: everyPair(ordered(example), image)! }),

  kinds: () => ['own caption', 'other caption', 'other caption', 'own caption'],

  measure(example, _plan, scores) {
    if (scores.some(Number.isNaN)) return [];
    const [first, second] = ordered(example).captions;
    const [[c0i0, c1i0], [c0i1, c1i1]] = byImage(scores, 2, 2);
    const leads = leadsOf(matrixOf({ c0i0, c1i0, c0i1, c1i1 }));
    const [text, photo] = [leads.text! > 0, leads.image! > 0];
    return [
      {
        example: example.id,
        row: example.row,
        place: example.place,
        image: example.images[0].name,
        captions: [first.text, second.text],
        photos: [example.images[0].name, example.images[1].name],
        c0i0,
        c1i0,
        c0i1,
        c1i1,
        text,
        photo,
        group: text && photo,
        ...(Object.keys(example.attributes).length === 0 ? {} : { tags: example.attributes }),
      },
    ];
  },

  faults({ captions, c0i0, c1i0, c0i1, c1i1 }) {
    const [a, b] = captions;
    const score = (value: number): string => value.toFixed(4);
    const comparisons: [Words, number, number][] = [
      [
        say`The first image scores ${score(c1i0)} with the wrong caption "${b}" and ${score(c0i0)} with its own caption "${a}".`,
        c0i0,
        c1i0,
      ],
      [
        say`The second image scores ${score(c0i1)} with the wrong caption "${a}" and ${score(c1i1)} with its own caption "${b}".`,
        c1i1,
        c0i1,
      ],
      [
        say`"${a}" scores ${score(c0i1)} with the wrong image (the second) and ${score(c0i0)} with its own image (the first).`,
        c0i0,
        c0i1,
      ],
      [
        say`"${b}" scores ${score(c1i0)} with the wrong image (the first) and ${score(c1i1)} with its own image (the second).`,
        c1i1,
        c1i0,
      ],
    ];
    return comparisons
      .filter(([, own, other]) => !(own > other))
      .map(([message, own, other]) => ({ message, size: other - own }))
      .sort((one, other) => other.size - one.size);
  },

  shares: ({ text, photo, group }) => [
    { metric: 'winoground.text', value: text ? 1 : 0, better: 'higher' },
    { metric: 'winoground.image', value: photo ? 1 : 0, better: 'higher' },
    { metric: 'winoground.group', value: group ? 1 : 0, better: 'higher' },
  ],

  summary() {
    const clusters = new Clusters();
    const figures = { text: new Figure(), image: new Figure(), group: new Figure() };
    const names = ['text', 'image', 'group'] as const;
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
