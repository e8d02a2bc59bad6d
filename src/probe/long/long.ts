import { Random } from '../../base/random';
import { say } from '../../base/say';
import { type Caption, drawKey, type Example } from '../../dataset/example';
import { type SentenceEdit, sentenceEdits } from '../../perturb/long/edits';
import { chosenErrors, type Planted, plantedErrors } from '../../perturb/long/planted';
import { sentencesOf } from '../../perturb/long/sentences';
import { refusalOf, rulesApply } from '../../perturb/text/fileLanguage';
import type { Span } from '../../perturb/text/variant';
import { plainMean } from '../../stats/summary';
import { wordCount } from '../inference/lengthAgreement';
import { missingImage } from '../missingImage';
import type { PairProbe, Plan, PlanContext } from '../probe';
import { longCharts } from './charts';
import { longClaims } from './claims';
import { longFaults } from './faults';
import { type LongOptions, longOptions, longOptionsFrom } from './options';
import type { LongRow, LongVariant } from './row';
import { longShares } from './shares';
import { LongSummary } from './summary';
import { longView } from './view';

type Variant = Planted | SentenceEdit;

interface PlannedCaption {
  index: number;
  text: string;
  sentences: readonly Span[];
  variants: readonly Variant[];
  /** The index in `wants` of the caption's score. The scores of its variants follow. */
  at: number;
}

interface LongPlan extends Plan {
  captions: PlannedCaption[];
}

export const long: PairProbe<LongPlan, LongRow> = {
  ...longView,
  isDrawn: () => true,
  options: longOptions,
  claims: longClaims,
  faults: longFaults,
  shares: longShares,
  charts: longCharts,
  measuresTruncation: true,

  needs: () => ['image-text'],

  refuse(example, context) {
    const { scores, image, language } = context;
    if (!scores.includes('image-text')) return say('lgip.evaluatorLacksJointScores');
    const captions = example.captions.filter((caption) => isMeasured(example, caption));
    if (captions.length === 0) return say('invariance.noCaptionForImage');
    const { leastSentences } = longOptionsFrom(context.options);
    const long = captions.filter((caption) => isLong(caption, leastSentences));
    if (long.length === 0) return say('long.tooFewSentences', leastSentences);
    if (long.some((caption) => image(caption.image) === undefined)) return missingImage(example);
    const refusal = refusalOf(language);
    if (refusal !== undefined) return refusal;
    return long.some(({ text }) => rulesApply(text, language)) ? undefined : say('long.notEnglish');
  },

  *plan(example, context) {
    const plan: LongPlan = { wants: [], captions: [] };
    const options = longOptionsFrom(context.options);
    for (const [index, caption] of example.captions.entries()) {
      if (!isMeasured(example, caption) || !isLong(caption, options.leastSentences)) continue;
      if (!rulesApply(caption.text, context.language)) continue;
      planCaption(plan, example, index, context, options);
      yield;
    }
    return plan;
  },

  kinds({ wants, captions }) {
    const kinds = wants.map(() => 'caption');
    for (const { at, variants } of captions)
      for (const [nth, { kind }] of variants.entries()) kinds[at + 1 + nth] = kind;
    return kinds;
  },

  /** Whether a text and one more token exceed the limit tells whether the evaluator reads what follows the text. */
  textsToMeasure: ({ captions }) =>
    captions.flatMap(({ text, variants }) => [
      text,
      ...variants.flatMap((one) => readBefore(text, one) ?? []),
    ]),

  measure(example, plan, scores, { truncates }, __, onLost) {
    return plan.captions.flatMap((planned) => {
      if (Number.isNaN(scores[planned.at])) {
        onLost?.({ captions: 1 });
        return [];
      }
      const row = rowOf(example, planned, scores, truncates);
      const lost = planned.variants.length - row.variants.length;
      onLost?.({ variants: lost });
      return [lost === 0 ? row : { ...row, lost }];
    });
  },

  summary: () => new LongSummary(),
};

/** A caption of the image, or a candidate that people rated, which may be wrong, so that no error is planted in it. */
function isMeasured({ form }: Example, { role, ratings = [] }: Caption): boolean {
  return role === 'caption' || (form === 'rating' && ratings.length > 0);
}

function isLong({ text }: Caption, least: number): boolean {
  return sentencesOf(text.trim()).length >= least;
}

function planCaption(
  plan: LongPlan,
  example: Example,
  index: number,
  context: PlanContext,
  { mostErrors }: LongOptions,
): void {
  const caption = example.captions[index];
  const text = caption.text.trim();
  const randomFor = (purpose: string): Random =>
    new Random(context.seed, ...drawKey(example, caption), purpose);
  const sentences = sentencesOf(text);
  const ofImage = example.captions.filter(({ role, image }) => role === 'caption' && image === caption.image);
  const errors = plantedErrors(
    text,
    sentences,
    ofImage.map((one) => one.text),
    randomFor,
  );
  const variants =
    caption.role === 'caption'
      ? [
          ...chosenErrors(errors, mostErrors, randomFor('long.errors')),
          ...sentenceEdits(text, sentences, randomFor),
        ]
      : [];
  const image = context.image(caption.image);
  if (image === undefined) throw new Error(`Example ${example.id} was planned without its image.`);
  plan.captions.push({ index, text, sentences, variants, at: plan.wants.length });
  plan.wants.push({ left: image, right: { kind: 'text', text }, against: text });
  for (const variant of variants)
    plan.wants.push({
      left: image,
      right: { kind: 'text', text: variant.text, origin: text },
      against: text,
    });
}

/** The caption up to an error, and a word of one token in its place. */
function readBefore(text: string, variant: Variant): string | undefined {
  return 'decile' in variant ? `${text.slice(0, variant.was[0])}a` : undefined;
}

function rowOf(
  example: Example,
  { index, text, sentences, variants, at }: PlannedCaption,
  scores: Float64Array,
  truncates: PlanContext['truncates'],
): LongRow {
  const caption = example.captions[index];
  const score = scores[at];
  const truncated = truncates?.(text);
  return {
    example: example.id,
    row: example.row,
    place: example.place,
    image: example.images.at(caption.image)?.name,
    caption: index,
    field: caption.field,
    captionPlace: caption.place,
    text,
    words: wordCount(text),
    ...(caption.ratings === undefined || caption.ratings.length === 0
      ? {}
      : { rating: plainMean(caption.ratings) }),
    sentences: [...sentences],
    ...(truncated === undefined ? {} : { truncated }),
    score,
    variants: variants.flatMap((variant, nth): LongVariant[] => {
      const own = scores[at + 1 + nth];
      if (Number.isNaN(own)) return [];
      const before = readBefore(text, variant);
      const past = before === undefined ? undefined : truncates?.(before);
      const { kind, text: changed, span, was } = variant;
      return [
        {
          ...{ kind, text: changed, span, was },
          ...('decile' in variant ? { position: variant.position, decile: variant.decile } : {}),
          ...(past === undefined ? {} : { past }),
          ...{ score: own, delta: own - score },
        },
      ];
    }),
  };
}
