import { english } from '../../base/english';
import { inARow, say, type Words } from '../../base/say';
import type { Span } from '../../perturb/text/variant';
import type { Verdict } from '../../protocol/rows';
import { inSpreads } from '../largeChange';
import { rowCheck } from '../rowSchema';
import { rowView, type ShownCaption } from '../view';
import { longBand, longKinds } from './names';
import { isError, joinedDraws, type LongRow, longRowSchema, type LongVariant } from './row';

export function verdictOf(variant: LongVariant): Verdict {
  if (!isError(variant)) return 'none';
  return variant.delta === 0 ? 'tie' : variant.delta < 0 ? 'right' : 'wrong';
}

const harmOf = (variant: LongVariant): number => (isError(variant) ? variant.delta : Math.abs(variant.delta));

function labelOf(variant: LongVariant): Words {
  return inARow([
    longKinds[variant.kind],
    ...(isError(variant) ? [say('long.inTenth', variant.decile)] : []),
    ...(variant.past === true ? [say('long.afterLimit')] : []),
  ]);
}

/** The index of the sentence that contains an offset of the caption. */
function sentenceAt({ sentences }: Pick<LongRow, 'sentences'>, at: number): number {
  const found = sentences.findIndex(([, to]) => at < to);
  return found === -1 ? sentences.length - 1 : found;
}

/** The sentence before and after the change. A deleted sentence leaves nothing, and a repeated one is there twice. */
export function sentencesOfChange(
  row: LongRow,
  variant: LongVariant,
): { before: string; after: string; nth: number } {
  const nth = sentenceAt(row, variant.was[0]);
  const [from, to]: Span = row.sentences[nth];
  const before = row.text.slice(from, to);
  switch (variant.kind) {
    case 'delete':
      return { before, after: '', nth };
    case 'repeat':
      return { before, after: `${before} ${before}`, nth };
    case 'move':
      return { before, after: before, nth };
    default:
      return { before, after: variant.text.slice(from, to + variant.text.length - row.text.length), nth };
  }
}

function captionsOf(row: LongRow, sub: number | undefined): ShownCaption[] {
  const order = [...row.variants.keys()].sort((a, b) => harmOf(row.variants[b]) - harmOf(row.variants[a]));
  return [
    { label: say('dataset.caption'), text: row.text, score: row.score },
    ...(sub === undefined ? order : [sub, ...order.filter((at) => at !== sub)]).map((at): ShownCaption => {
      const variant = row.variants[at];
      return {
        ...{ label: labelOf(variant), text: variant.text, score: variant.score, delta: variant.delta },
        ...{ verdict: verdictOf(variant), against: 0, chosen: at === sub },
      };
    }),
  ];
}

/** One table line per variant, with the changed sentence. The whole captions are in the details. */
export const longRows = rowView<LongRow>({
  row: rowCheck(longRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    {
      id: 'kind',
      title: say('long.kindChart'),
      share: true,
      metrics: (name) =>
        Object.keys(longKinds)
          .filter((kind) => english(longKinds[kind]) === name)
          .map((error) => ({ id: 'long.pr', slice: { error } })),
    },
    {
      id: 'position',
      title: say('long.positionChart'),
      share: true,
      metrics: (decile) => [{ id: `long.pr.position.${decile}` }],
    },
    {
      id: 'length',
      title: say('long.lengthChart'),
      share: true,
      metrics: (band) => [{ id: 'long.pr', slice: { 'caption length': band } }],
    },
  ],
  delta: {
    title: say('lgip.variantMinusOriginal'),
    head: 'Δ',
    wanted: say('lgip.changeWanted'),
    lower: true,
  },
  points: {
    title: say('long.positionScatter'),
    x: say('lgip.flipMinusOriginal'),
    y: say('long.axisPosition'),
    border: 'zero',
  },
  chance: 0.5,

  key: ({ caption }) => String(caption),
  joined: joinedDraws,
  lineKey: (row, sub) => `${row.variants[sub].kind} ${row.variants[sub].text}`,

  facts: (row) =>
    row.variants.map((variant) => ({
      delta: variant.delta,
      harm: harmOf(variant),
      verdict: verdictOf(variant),
      facets: [
        verdictOf(variant) === 'none' ? 'edit' : verdictOf(variant),
        english(longKinds[variant.kind]),
        isError(variant) ? String(variant.decile) : 'none',
        longBand(row.words),
      ],
      point: isError(variant) ? [variant.delta, variant.position] : undefined,
    })),

  words: (row) => [row.text, ...row.variants.map(({ text }) => text), row.image ?? ''].join('\n'),

  line(row, sub) {
    const variant = row.variants[sub];
    const { before, after } = sentencesOfChange(row, variant);
    return { before, after, label: labelOf(variant), score: variant.score };
  },

  captions: captionsOf,

  detail(row, sub) {
    const variant = row.variants[sub];
    const { nth } = sentencesOfChange(row, variant);
    return {
      notes: [
        say('long.sentenceOf', nth + 1, row.sentences.length, row.words),
        ...(variant.past === true ? [say('long.afterLimitNote')] : []),
      ],
    };
  },

  mark(row, spread) {
    const errors = row.variants.filter(isError);
    const detected = errors.filter(({ delta }) => delta < 0).length;
    const past = errors.filter((error) => error.past === true).length;
    const repeated = row.variants.find(({ kind }) => kind === 'repeat');
    return {
      texts: [row.text],
      column: row.captionPlace?.column,
      words: inARow([
        errors.length === 0 ? say('long.noErrors') : say('long.detectedCount', detected, errors.length),
        ...(past > 0 ? [say('long.pastCount', past)] : []),
        ...(repeated !== undefined && repeated.delta > 0
          ? [
              say(
                'long.repeatGains',
                spread === undefined ? repeated.delta.toFixed(3) : inSpreads(repeated.delta, spread),
              ),
            ]
          : []),
      ]),
      ...(errors.length === 0 ? {} : { hint: `${detected}/${errors.length}` }),
    };
  },
});
