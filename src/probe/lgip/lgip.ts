import { say } from '../../base/say';
import { Random } from '../../base/random';
import { type Caption, drawKey, type Example } from '../../dataset/example';
import type { TextItem } from '../../protocol/item';
import { perturb, type Perturbed } from '../../perturb/text/perturb';
import { furtherLanguages, refusalOf } from '../../perturb/text/fileLanguage';
import type { TextVariant } from '../../perturb/text/variant';
import { missingImage } from '../missingImage';
import type { PairProbe, Plan, PlanContext } from '../probe';
import { lgipCharts, lgipTradeOff } from './charts';
import { lgipClaims } from './claims';
import { paperEntries } from './export';
import { lgipFaults } from './faults';
import { lgipShares } from './shares';
import { lgipOptions, lgipOptionsFrom, type LgipOptions } from './options';
import { type LgipRow, type LgipVariant, type Outcome, withoutVariants } from './row';
import { lgipSideBySide } from './sideBySide';
import { LgipSummary } from './summary';
import { lgipView } from './view';

interface PlannedCaption {
  index: number;
  text: string;
  outcome: Outcome;
  variants: TextVariant[];
  /** The index in `wants` of the caption's score. The scores of its variants follow. Absent for a blank caption. */
  at?: number;
  /** The index in `wants` of the first flip's similarity to the caption. The other flips' follow. */
  distancesAt?: number;
}

interface LgipPlan extends Plan {
  captions: PlannedCaption[];
}

export const lgip: PairProbe<LgipPlan, LgipRow> = {
  ...lgipView,
  isDrawn: ({ variants }, options) => variants === undefined || lgipOptionsFrom(options).given !== 'use',
  options: lgipOptions,
  claims: lgipClaims,
  faults: lgipFaults,
  shares: lgipShares,
  charts: lgipCharts,
  comparisonCharts: lgipTradeOff,
  sideBySide: lgipSideBySide,
  entries: paperEntries,

  needs: () => ['image-text'],

  refuse(example, { scores, image, language }) {
    if (!scores.includes('image-text')) return say('lgip.evaluatorLacksJointScores');
    const captions = example.captions.filter(isAsked);
    if (captions.length === 0) return say('invariance.noCaptionForImage');
    if (captions.every(({ text }) => text.trim() === '')) return say('lgip.captionsBlank');
    if (captions.some((caption) => image(caption.image) === undefined)) return missingImage(example);
    return captions.some(({ variants }) => variants !== undefined)
      ? undefined
      : refusalOf(language, furtherLanguages);
  },

  *plan(example, context) {
    const plan: LgipPlan = { wants: [], captions: [] };
    const options = lgipOptionsFrom(context.options);
    for (const [index, caption] of example.captions.entries()) {
      if (!isAsked(caption)) continue;
      plan.captions.push(planCaption(plan, example, index, context, options));
      yield;
    }
    return plan;
  },

  kinds({ wants, captions }) {
    const kinds = wants.map(() => 'similarity');
    for (const { at, variants } of captions)
      if (at !== undefined)
        ['caption', ...variants.map(({ family }) => family)].forEach((kind, i) => (kinds[at + i] = kind));
    return kinds;
  },

  measure(example, plan, scores, _, __, onLost) {
    const rows = plan.captions.flatMap((planned) => {
      const row = rowOf(example, planned, scores);
      if (Number.isNaN(row.score)) {
        onLost?.({ captions: 1 });
        return [];
      }
      const scored = withoutVariants(row, ({ score }) => Number.isNaN(score));
      const lost = row.variants.length - scored.variants.length;
      onLost?.({ variants: lost });
      return [lost === 0 ? scored : { ...scored, lost }];
    });
    // A blank caption has a row without a score, which is no reason to count the image as measured.
    return rows.some(({ score }) => score !== null) || rows.length === plan.captions.length ? rows : [];
  },

  summary: (context) => new LgipSummary(lgipOptionsFrom(context.options), context.scores, context.language),

  demo: {
    file: 'captions.json',
    lines: [
      { metric: 'lgip.inv', words: 'a caption reworded: the score changes by', style: 'number' },
      { metric: 'lgip.sens', words: 'a caption made wrong: the score falls by', style: 'number' },
      { metric: 'lgip.pr', words: 'wrong captions that score lower', style: 'percent' },
      { metric: 'lgip.pr.object', words: '… another object (dog → cat)', style: 'percent' },
      { metric: 'lgip.pr.color', words: '… another colour (red → blue)', style: 'percent' },
      { metric: 'lgip.pr.number', words: '… another number (two → three)', style: 'percent' },
    ],
  },
};

function isAsked(caption: Caption): boolean {
  return caption.role === 'caption';
}

function planCaption(
  plan: LgipPlan,
  example: Example,
  index: number,
  context: PlanContext,
  options: LgipOptions,
): PlannedCaption {
  const caption = example.captions[index];
  // The text is trimmed, because a variant must not differ from the caption only in spaces.
  const text = caption.text.trim();
  const given = options.given === 'use' ? caption.variants : undefined;
  const made = perturb(
    text,
    options,
    (purpose) => new Random(context.seed, ...drawKey(example, caption), purpose),
    given,
    context.language,
  );
  const planned: PlannedCaption = {
    index,
    text,
    outcome: outcomeOf(made, given !== undefined),
    variants: made.variants,
  };
  if (planned.outcome === 'blank') return planned;
  const image = context.image(caption.image);
  if (image === undefined) throw new Error(`Example ${example.id} was planned without its image.`);
  planned.at = plan.wants.length;
  const original: TextItem = { kind: 'text', text };
  plan.wants.push({ left: image, right: original, against: text });
  for (const variant of made.variants)
    plan.wants.push({
      left: image,
      right: { kind: 'text', text: variant.text, origin: text },
      against: text,
    });
  if (context.scores.includes('text-text')) {
    planned.distancesAt = plan.wants.length;
    for (const { family, text: flipped } of made.variants) {
      if (family === 'flip') plan.wants.push({ left: original, right: { kind: 'text', text: flipped } });
    }
  }
  return planned;
}

function outcomeOf({ reading, variants }: Perturbed, given: boolean): Outcome {
  if (reading === 'blank') return 'blank';
  if (variants.length > 0) return given ? 'given' : 'perturbed';
  return reading === 'english' ? 'no-variant' : reading;
}

function rowOf(example: Example, planned: PlannedCaption, scores: Float64Array): LgipRow {
  const caption = example.captions[planned.index];
  const row: LgipRow = {
    example: example.id,
    row: example.row,
    place: example.place,
    image: example.images.at(caption.image)?.name,
    caption: planned.index,
    field: caption.field,
    captionPlace: caption.place,
    text: planned.text,
    words: planned.text === '' ? 0 : planned.text.split(/\s+/).length,
    outcome: planned.outcome,
    score: null,
    variants: [],
  };
  const { at } = planned;
  if (at === undefined) return row;
  const original = scores[at];
  let distanceAt = planned.distancesAt;
  row.score = original;
  row.variants = planned.variants.map((variant, i): LgipVariant => {
    const score = scores[at + 1 + i];
    const { text, family, kind, rule, span, was, of } = variant;
    const measured: LgipVariant = { text, family, kind, rule, score, delta: score - original, span, was };
    if (family !== 'paraphrase') measured.gap = original - score;
    if (of !== undefined) {
      measured.of = of;
      measured.gapToParaphrase = scores[at + 1 + of] - score;
    }
    if (family === 'flip' && distanceAt !== undefined) {
      const similarity = scores[distanceAt++];
      if (!Number.isNaN(similarity)) measured.distance = 1 - similarity;
    }
    return measured;
  });
  return row;
}
