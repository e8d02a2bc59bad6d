import { english, inARow, say, type Words } from '../../base/say';
import { lengthBand } from './lengthBand';
import { kinds, lgipParts } from './names';
import type { Card } from '../../protocol/panel';
import { type LgipRow, type LgipVariant, lgipRowSchema } from './row';
import { changeOf, largeChange } from '../largeChange';
import { entryOf } from '../../base/entryOf';
import { rowCheck } from '../rowSchema';
import type { LabelledCaption, MetricKey, Verdict } from '../../protocol/rows';
import { fixedCards, wholeMetric, type RowView, type ProbeView } from '../view';

function verdictOf({ family, gap }: LgipVariant): Verdict {
  if (family === 'paraphrase' || gap === undefined) return 'none';
  if (gap === 0) return 'tie';
  return gap > 0 ? 'right' : 'wrong';
}

const families = {
  paraphrase: say`paraphrase`,
  flip: say`flip`,
  combined: say`combined`,
  beyond: say`other flip`,
} as const;

const reworded: typeof kinds = {
  color: say`colour, reworded`,
  number: say`number, reworded`,
  object: say`object, reworded`,
};

function kindOf({ family, kind }: LgipVariant): Words {
  return family === 'combined'
    ? (entryOf(reworded, kind) ?? say`${entryOf(kinds, kind) ?? kind}, reworded`)
    : (entryOf(kinds, kind) ?? kind);
}

function labelOf(variant: LgipVariant): Words {
  return inARow([families[variant.family], kindOf(variant)]);
}

/** The metric keys of a kind of flip. `name` is the kind's displayed name. */
function caughtByKind(name: string): MetricKey[] {
  const named = (words: typeof kinds) => Object.keys(words).find((kind) => english(words[kind]) === name);
  const combined = named(reworded);
  if (combined !== undefined) return [{ id: 'lgip.pr.combined', slice: { flip: combined } }];
  const kind = named(kinds) ?? name;
  return [{ id: `lgip.pr.${kind}` }, { id: `lgip.beyond.pr.${kind}` }];
}

/** One table line per variant. A caption without variants has no line. */
export const lgipRows: RowView<LgipRow> = {
  row: rowCheck(lgipRowSchema),
  facets: [
    { id: 'verdict', title: say`Result`, share: false },
    { id: 'family', title: say`Family`, share: false },
    { id: 'kind', title: say`Flips caught, by type`, share: true, metrics: caughtByKind },
    {
      id: 'length',
      title: say`Flips caught, by caption length`,
      share: true,
      metrics: (words) => [{ id: 'lgip.pr', slice: { 'caption length': words } }],
    },
  ],
  delta: { title: say`Score of the variant minus score of the original` },
  points: {
    title: say`Score gap by text distance of the flip`,
    x: say`Distance in the text space`,
    y: say`Score of the original minus score of the flip`,
    border: 'zero',
  },
  chance: 0.5,

  key: ({ caption }) => String(caption),
  lineKey: (row, sub) => `${row.variants[sub].family} ${row.variants[sub].text}`,
  fileLine: (row) => (row.captionPlace ?? row.place)?.line,

  facts: (row) =>
    row.variants.map((variant) => {
      const verdict = verdictOf(variant);
      return {
        delta: variant.delta,
        harm: variant.gap === undefined ? Math.abs(variant.delta) : -variant.gap,
        verdict,
        facets: [
          verdict === 'none' ? english(families.paraphrase) : verdict,
          english(families[variant.family]),
          english(kindOf(variant)),
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
    const parts: Words[] = [];
    if (paraphrases.length > 0) parts.push(stabilityOf(row, moved));
    if (flips.length > 0) parts.push(say`flips caught: ${caught} of ${flips.length}`);
    const worst = worstOf(flips);
    const reworded = worstOf(row.variants.filter(({ family }) => family === 'combined'));
    if (worst !== undefined && harmOf(worst) === 0)
      parts.push(say`worst: ${wordChange(row, worst)} scored the same`);
    else if (worst !== undefined)
      parts.push(say`worst: ${wordChange(row, worst)} scored higher by ${harmOf(worst).toFixed(3)}`);
    else if (reworded !== undefined)
      parts.push(say`reworded, ${wordChange(row, reworded)} scored higher by ${harmOf(reworded).toFixed(3)}`);
    const hints: string[] = [];
    if (paraphrases.length > 0) hints.push(`±${moved.toFixed(3)}`);
    if (flips.length > 0) hints.push(`${caught}/${flips.length}`);
    return {
      texts: [row.text],
      column: row.captionPlace?.column,
      words: parts.length === 0 ? say`no variants` : inARow(parts),
      ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
      ...(paraphrases.length > 0 && (changeBy(row, moved) ?? 0) >= largeChange ? { unstable: true } : {}),
      captions: captionsOf(row, undefined),
    };
  },
};

/** The paraphrases' average change of the score. A large change in percent makes the caption unstable. */
function stabilityOf(row: LgipRow, moved: number): Words {
  const change = changeBy(row, moved);
  const by = moved.toFixed(3);
  if (change === null) return say`reworded ±${by}`;
  return change >= largeChange ? say`unstable ±${by}` : say`stable ±${by}`;
}

function changeBy({ score }: LgipRow, moved: number): number | null {
  return score === null ? null : changeOf(score + moved, score);
}

/** The most misleading variant; undefined if none scores as high as the caption. */
function worstOf(variants: readonly LgipVariant[]): LgipVariant | undefined {
  const worst = [...variants].sort((a, b) => harmOf(b) - harmOf(a)).at(0);
  return worst !== undefined && harmOf(worst) >= 0 ? worst : undefined;
}

function wordChange(row: LgipRow, { text: changed, was, span, of }: LgipVariant): string {
  const text = of === undefined ? row.text : row.variants[of].text;
  return `"${text.slice(...was)}" → "${changed.slice(...span)}"`;
}

/** The caption, the selected variant, and the other variants, worst first. */
function captionsOf(row: LgipRow, sub: number | undefined): LabelledCaption[] {
  const own: LabelledCaption = { label: say`caption`, text: row.text, verdict: 'none', chosen: false };
  if (row.score !== null) own.score = row.score;
  const variants = row.variants.map((variant, i): LabelledCaption => ({
    label: say`${labelOf(variant)} (${variant.rule.replaceAll('{c}', '…')})`,
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

const cards: readonly Card[] = [
  {
    title: say`Invariance error`,
    metric: 'lgip.inv',
    style: 'number',
    range: [0, 0.1],
    about: say`Mean size of the change in score for a paraphrase. Lower is better.`,
  },
  {
    title: say`Sensitivity`,
    metric: 'lgip.sens',
    style: 'number',
    chance: 0,
    range: [-0.1, 0.1],
    about: say`Mean drop of the score for a flip. Below zero, the wrong caption scores higher.`,
  },
  {
    title: say`Flips caught`,
    metric: 'lgip.pr',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of flips that score strictly lower than the caption. Chance level: 50 %.`,
  },
  {
    title: say`Object flips caught`,
    metric: 'lgip.pr.object',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of object flips that score strictly lower than the caption.`,
  },
  {
    title: say`Colour flips caught`,
    metric: 'lgip.pr.color',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of colour flips that score strictly lower than the caption.`,
  },
  {
    title: say`Number flips caught`,
    metric: 'lgip.pr.number',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of number flips that score strictly lower than the caption.`,
  },
];

export const lgipView = {
  id: 'lgip',
  title: 'LGIP',
  question:
    'Is the score stable when a caption is reworded, and does it fall when the caption becomes wrong?',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: lgipRows,
  columns: { before: say`caption`, after: say`variant` },
  cards: fixedCards(cards),
  metricParts: lgipParts,
  better: (metric) =>
    metric.startsWith('lgip.inv') ? 'lower' : /^lgip\.(sens|pr)/.test(metric) ? 'higher' : undefined,
  leading: [
    {
      metric: /^lgip\.pr$/,
      words: (value) => say`${value} of flips caught`,
      sentence: (evaluator, value) => say`${evaluator} catches ${value} of flips`,
      parts: [
        { metric: 'lgip.pr.object', name: say`objects` },
        { metric: 'lgip.pr.color', name: say`colours` },
        { metric: 'lgip.pr.number', name: say`numbers` },
      ],
    },
  ],

  sentence(metrics, evaluator) {
    const moved = wholeMetric(metrics, 'lgip.inv')?.value;
    return typeof moved === 'number'
      ? say`A rewording changes the score of ${evaluator} by ${moved.toFixed(3)}`
      : undefined;
  },

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
} satisfies ProbeView<LgipRow>;
