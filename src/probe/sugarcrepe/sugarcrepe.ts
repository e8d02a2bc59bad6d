import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { BesideBlind } from '../benchmark/beside/besideBlind';
import { claimsBesideBlind } from '../benchmark/beside/claims';
import { leadsOf } from '../choice/decide';
import { everyPair } from '../choice/plan';
import { Slices } from '../choice/slices';
import { missingImage } from '../missingImage';
import { Clusters, Figure } from '../figure';
import { clusterOf } from '../metric';
import type { Findings, PairProbe, Plan } from '../probe';
import type { SugarcrepeRow } from './row';
import { sugarcrepeView } from './view';

interface SugarcrepePlan extends Plan {
  caption: string;
  negative: string;
  imageAt?: number;
  textAt?: number;
}

export const sugarcrepe: PairProbe<SugarcrepePlan, SugarcrepeRow> = {
  ...sugarcrepeView,
  slicesInTableOnly: true,
  options: [],

  claims: (metrics) => {
    const own = metrics.find(({ id }) => /^sugarcrepe\.[^.]+$/.test(id));
    if (own === undefined) return [];
    return claimsBesideBlind(metrics, own.id, 0.5, {
      above: say('sugarcrepe.aboveChance'),
      across: say('sugarcrepe.notFromChance'),
      below: say('sugarcrepe.belowChance'),
    });
  },

  needs: () => ['image-text', 'text-text'],

  refuse(example, { scores, image }) {
    const roles = example.captions.map((caption) => caption.role);
    if (example.form !== 'pair' || !roles.includes('caption') || !roles.includes('negative')) {
      return say('sugarcrepe.notPair');
    }
    if (scores.includes('text-text') || image(0) !== undefined) return undefined;
    return say('sugarcrepe.imageNeeded', missingImage(example));
  },

  plan(example, { scores, image }) {
    const captions = (['caption', 'negative'] as const).map((role) =>
      example.captions.find((candidate) => candidate.role === role)!,
    );
    const [caption, negative] = captions.map(({ text }) => text);
    const plan: SugarcrepePlan = { caption, negative, wants: [] };
    const pairs = scores.includes('image-text')
      ? everyPair({ images: example.images.slice(0, 1), captions }, image)
      : undefined;
    if (pairs !== undefined && pairs.length > 0) {
      plan.imageAt = 0;
      plan.wants = pairs;
    }
    if (scores.includes('text-text')) {
      plan.textAt = plan.wants.length;
      plan.wants.push({ left: { kind: 'text', text: caption }, right: { kind: 'text', text: negative } });
    }
    return plan;
  },

  kinds: ({ wants, imageAt }) =>
    wants.map((_, at) => (at === imageAt ? 'caption' : at - 1 === imageAt ? 'negative' : 'two captions')),

  measure(example, { caption, negative, imageAt, textAt }, scores, _, __, onLost) {
    const row: SugarcrepeRow = {
      example: example.id,
      row: example.row,
      place: example.place,
      image: example.images.at(0)?.name,
      caption,
      negative,
    };
    const [own, other] = imageAt === undefined ? [] : scores.subarray(imageAt, imageAt + 2);
    const hasImage = imageAt !== undefined && !Number.isNaN(own) && !Number.isNaN(other);
    const hasText = textAt !== undefined && !Number.isNaN(scores[textAt]);
    if (!hasImage && !hasText) return [];
    const lost =
      [imageAt, textAt].filter((at) => at !== undefined).length - Number(hasImage) - Number(hasText);
    if (lost > 0) row.lost = lost;
    onLost?.({ variants: lost });
    if (hasImage) {
      const lead = leadOf({ caption: own, negative: other });
      row.i2t = { caption: own, negative: other, right: lead > 0, tie: lead === 0 };
    }
    if (hasText) row.text = scores[textAt];
    if (Object.keys(example.attributes).length > 0) row.tags = example.attributes;
    return [row];
  },

  faults({ i2t: image, caption, negative }) {
    if (image === undefined || image.right) return [];
    const message = say(
      'sugarcrepe.wrongCaptionWins',
      image.negative.toFixed(4),
      negative,
      image.caption.toFixed(4),
      caption,
    );
    return [{ message, size: image.negative - image.caption }];
  },

  // This id lacks the dataset file's name, because rows do not contain it. A report has only one dataset file.
  shares: ({ i2t: image }) =>
    image === undefined ? [] : [{ metric: 'sugarcrepe', value: image.right ? 1 : 0, better: 'higher' }],

  summary({ dataset, scores, seed }) {
    const clusters = new Clusters();
    const right = new Figure();
    const slices = new Slices();
    const gap = new Figure();
    const text = new Figure();
    const beside = new BesideBlind(seed);
    let withoutImage = 0;
    return {
      add(row) {
        const cluster = clusters.of(clusterOf(row));
        if (row.i2t) {
          const lead = leadOf(row.i2t);
          right.compare(lead, 0, cluster);
          slices.compare(row.tags, 'right', lead, cluster);
          gap.add(row.i2t.caption - row.i2t.negative, cluster);
          const { caption, negative } = row.i2t;
          beside.add(row, [row.caption, row.negative], [true, false], [caption, negative]);
        } else if (row.lost === undefined) withoutImage++;
        if (row.text !== undefined) text.add(row.text, cluster);
      },
      soFar: () => (right.n === 0 ? [] : [right.soFar(`sugarcrepe.${dataset}`, { rate: true })]),
      *finish(): Steps<Findings> {
        // A published file is one split, so its name is part of the metric's id.
        const id = `sugarcrepe.${dataset}`;
        const withImages = scores.includes('image-text');
        return {
          metrics: [
            ...(withImages ? [yield* right.metric(id, { rate: true }), yield* gap.metric(`${id}.gap`)] : []),
            ...(scores.includes('text-text') ? [yield* text.metric(`${id}.textSimilarity`)] : []),
            ...(yield* beside.metrics(id, 'every')),
            ...(yield* slices.metrics(id, 'right', right.n)),
          ],
          warnings: withImages && withoutImage > 0 ? [say('sugarcrepe.withoutImages', withoutImage)] : [],
        };
      },
    };
  },

  demo: {
    file: 'sugarcrepe.json',
    lines: [
      {
        metric: 'sugarcrepe.sugarcrepe',
        words: "the image's caption beats a caption with one error",
        style: 'percent',
      },
    ],
  },
};

/** The caption's score minus the negative's score. */
function leadOf({ caption, negative }: { caption: number; negative: number }): number {
  return leadsOf({ scores: [[caption, negative]], rightOf: [0, -1] }).captions[0]!;
}
