import { lengthBand } from '../../probe/lgip/lengthBand';
import type { LgipRow, LgipVariant } from '../../probe/lgip/row';
import type { ScoredCaption, Verdict } from '../../protocol/rows';
import type { RowLens } from './lens';

function verdictOf({ family, gap }: LgipVariant): Verdict {
  if (family === 'paraphrase' || gap === undefined) return 'none';
  if (gap === 0) return 'tie';
  return gap > 0 ? 'right' : 'wrong';
}

const families = {
  paraphrase: 'paraphrase',
  flip: 'flip',
  combined: 'combined',
  beyond: 'other flip',
} as const;
const kinds: Readonly<Record<string, string>> = { color: 'colour' };

function kindOf({ family, kind }: LgipVariant): string {
  const name = kinds[kind] ?? kind;
  return family === 'combined' ? `${name}, reworded` : name;
}

function labelOf(variant: LgipVariant): string {
  return `${families[variant.family]} · ${kindOf(variant)}`;
}

/** A line for each variant; a caption that has none gives none. */
export const lgipLens: RowLens<LgipRow> = {
  facets: [
    { id: 'verdict', title: 'Result', share: false },
    { id: 'family', title: 'Family', share: false },
    { id: 'kind', title: 'Flips by kind', share: true },
    { id: 'length', title: 'Flips by caption length', share: true },
  ],
  delta: { title: "Variant's score minus original's" },
  points: {
    title: 'Gap by strength of the flip',
    x: 'Distance in the text space',
    y: "Original's score minus flip's",
    border: 'zero',
  },
  chance: 0.5,

  fileLine: (row) => (row.captionPlace ?? row.place)?.line,

  facts: (row) =>
    row.variants.map((variant) => {
      const verdict = verdictOf(variant);
      return {
        delta: variant.delta,
        harm: variant.gap === undefined ? Math.abs(variant.delta) : -variant.gap,
        verdict,
        facets: [
          verdict === 'none' ? 'paraphrase' : verdict,
          families[variant.family],
          kindOf(variant),
          lengthBand(row.words),
        ],
        point:
          variant.distance === undefined || variant.gap === undefined
            ? undefined
            : [variant.distance, variant.gap],
      };
    }),

  words: (row) => [row.text, ...row.variants.map(({ text }) => text), row.image ?? ''].join('\n'),

  line(row, sub) {
    const variant = row.variants[sub];
    return {
      line: (row.captionPlace ?? row.place)?.line,
      image: row.image,
      before: row.text,
      after: variant.text,
      label: labelOf(variant),
      score: variant.score,
      delta: variant.delta,
      verdict: verdictOf(variant),
    };
  },

  detail: (row, sub) => ({
    example: row.example,
    line: (row.captionPlace ?? row.place)?.line,
    image: row.image,
    captions: captionsOf(row, sub),
    notes: [],
  }),

  mark(row) {
    const paraphrases = row.variants.filter(({ family }) => family === 'paraphrase');
    const flips = row.variants.filter(({ family }) => family === 'flip');
    const moved = paraphrases.reduce((sum, { delta }) => sum + Math.abs(delta), 0) / paraphrases.length;
    const caught = flips.filter(({ gap }) => (gap ?? 0) > 0).length;
    const parts: string[] = [];
    if (paraphrases.length > 0) parts.push(`steady ±${moved.toFixed(3)}`);
    if (flips.length > 0) parts.push(`flips ${caught}/${flips.length}`);
    const worst = [...flips].sort((a, b) => harmOf(b) - harmOf(a)).at(0);
    if (worst && harmOf(worst) >= 0)
      parts.push(`worst: ${changeOf(row, worst)} scored higher by ${harmOf(worst).toFixed(3)}`);
    const hints: string[] = [];
    if (paraphrases.length > 0) hints.push(`±${moved.toFixed(3)}`);
    if (flips.length > 0) hints.push(`${caught}/${flips.length}`);
    return {
      texts: [row.text],
      column: row.captionPlace?.column,
      words: parts.length === 0 ? 'nothing was made of it' : parts.join(' · '),
      ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
      captions: captionsOf(row, undefined),
    };
  },
};

/** "red" → "blue" */
function changeOf({ text }: LgipRow, { text: changed, was, span }: LgipVariant): string {
  return `"${text.slice(...was)}" → "${changed.slice(...span)}"`;
}

/** The caption, the chosen variant, and the others, worst first. */
function captionsOf(row: LgipRow, sub: number | undefined): ScoredCaption[] {
  const own: ScoredCaption = { label: 'caption', text: row.text, verdict: 'none', chosen: false };
  if (row.score !== null) own.score = row.score;
  const variants = row.variants.map((variant, i): ScoredCaption => ({
    label: `${labelOf(variant)} (${variant.rule.replaceAll('{c}', '…')})`,
    text: variant.text,
    score: variant.score,
    delta: variant.delta,
    verdict: verdictOf(variant),
    against: 0,
    chosen: i === sub,
  }));
  const worst = [...variants.keys()].sort((a, b) => harmOf(row.variants[b]) - harmOf(row.variants[a]));
  const order = sub === undefined ? worst : [sub, ...worst.filter((i) => i !== sub)];
  return [own, ...order.map((i) => variants[i])];
}

function harmOf({ gap, delta }: LgipVariant): number {
  return gap === undefined ? Math.abs(delta) : -gap;
}
