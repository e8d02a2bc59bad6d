import { english, type Said, say, type Words } from '../../base/say';
import type { Card } from '../../protocol/panel';
import type { LabelledCaption, Verdict } from '../../protocol/rows';
import { rowCheck } from '../rowSchema';
import { fixedCards, type ProbeView, type RowView, wholeMetric } from '../view';
import { type HumanRow, humanRowSchema, leadOf } from './row';

/**
 * For a rating: the evaluator's rank minus people's rank. For other rows: the lead of the preferred caption, or of
 * the first caption if people preferred neither.
 */
function deltaOf(row: HumanRow): number {
  if (row.kind === 'rating') return row.ranks === undefined ? 0 : row.ranks.evaluator - row.ranks.people;
  return leadOf(row, row.scores.length - 1);
}

function harmOf(row: HumanRow): number {
  if (row.kind === 'rating') return Math.abs(deltaOf(row));
  return row.preferred === null ? -Math.abs(deltaOf(row)) : -deltaOf(row);
}

function verdictOf(row: HumanRow): Verdict {
  if (row.kind === 'rating' || row.preferred === null) return 'none';
  const lead = deltaOf(row);
  return lead === 0 ? 'tie' : lead > 0 ? 'right' : 'wrong';
}

function bandOf({ band }: HumanRow): Said {
  if (band === undefined) return say`not rated`;
  return { low: say`lowest third`, middle: say`middle third`, high: say`highest third` }[band];
}

function systemOf({ systems }: HumanRow): Words {
  return systems === undefined ? say`unknown` : systems.join(', ');
}

function labelOf(row: HumanRow): Words {
  if (row.kind === 'rating') return say`rated ${(row.ratings ?? []).join(', ')}`;
  if (row.kind === 'foil') return say`foil`;
  return row.preferred === null ? say`people undecided` : say`preference`;
}

/** The indexes of the captions, with the preferred caption first. */
function ordered({ captions, preferred }: HumanRow): number[] {
  return captions.length === 1 ? [0] : preferred === 1 ? [1, 0] : [0, 1];
}

export const humanRows: RowView<HumanRow> = {
  row: rowCheck(humanRowSchema),
  facets: [
    { id: 'verdict', title: say`Result`, share: false },
    {
      id: 'band',
      title: say`People's rating`,
      share: false,
    },
    { id: 'system', title: say`System`, share: false },
  ],
  delta: {
    title: say`Evaluator's rank minus people's rank (rating), or lead of the preferred caption (pair)`,
    head: say`lead`,
  },
  points: {
    title: say`Ranks by people and by the evaluator`,
    x: say`Rank by people`,
    y: say`Rank by the evaluator`,
    border: 'diagonal',
  },

  key: ({ captions }) => captions.join('\n'),
  fileLine: (row) => row.place?.line,

  facts: (row) => [
    {
      delta: deltaOf(row),
      harm: harmOf(row),
      verdict: verdictOf(row),
      facets: [verdictOf(row), english(bandOf(row)), english(systemOf(row))],
      ...(row.ranks === undefined ? {} : { point: [row.ranks.people, row.ranks.evaluator] as const }),
    },
  ],

  words: (row) => [...row.captions, row.image ?? ''].join('\n'),

  line(row) {
    const [first, second] = ordered(row).map((i) => row.captions[i]);
    return {
      line: row.place?.line,
      image: row.image,
      before: first,
      after: second ?? '',
      label: labelOf(row),
      score: row.scores[row.scores.length - 1][ordered(row)[0]],
      delta: deltaOf(row),
      verdict: verdictOf(row),
    };
  },

  detail: (row) => ({
    example: row.example,
    line: row.place?.line,
    image: row.image,
    captions: captionsOf(row),
    notes: notesOf(row),
  }),

  mark: (row) => ({ texts: row.captions, words: labelOf(row), captions: captionsOf(row) }),
};

function captionsOf(row: HumanRow): LabelledCaption[] {
  const scores = row.scores[row.scores.length - 1];
  return ordered(row).map((i, at): LabelledCaption => ({
    label:
      row.kind === 'rating'
        ? say`caption`
        : row.kind === 'foil'
          ? at === 0
            ? say`caption`
            : say`foil`
          : row.preferred === null
            ? say`candidate ${i + 1}`
            : at === 0
              ? say`preferred`
              : say`not preferred`,
    text: row.captions[i],
    score: scores[i],
    ...(at === 0 ? {} : { delta: scores[ordered(row)[0]] - scores[i], against: 0 }),
    verdict: at === 0 ? 'none' : verdictOf(row),
    chosen: false,
  }));
}

/** The order of votes and systems is the order of the captions in the view. */
function notesOf(row: HumanRow): Words[] {
  const order = ordered(row);
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  return [
    ...(row.ratings === undefined ? [] : [say`People's ratings: ${row.ratings.join(', ')}`]),
    ...(row.ranks === undefined
      ? []
      : [
          say`People rank this caption above ${percent(row.ranks.people)} of the captions. The evaluator ranks it above ${percent(row.ranks.evaluator)}.`,
        ]),
    ...(row.votes === undefined ? [] : [say`Votes: ${order.map((i) => row.votes![i]).join(' : ')}`]),
    ...(row.systems === undefined ? [] : [say`System: ${order.map((i) => row.systems![i]).join(', ')}`]),
    ...(row.references === undefined
      ? []
      : [say`Number of references used for each score: ${row.references.join(', ')}`]),
    ...Object.entries(row.tags ?? {}).map(([tag, value]) => `${tag}: ${value}`),
  ];
}

function correlationCard(title: Said, metric: string, about: Said): Card {
  return { title, metric, style: 'number', range: [-1, 1], about };
}

function rateCard(title: Said, metric: string, about: Said): Card {
  return { title, metric, style: 'percent', chance: 0.5, range: [0, 1], about };
}

const cards: readonly Card[] = [
  correlationCard(
    say`Kendall τ-b with ratings`,
    'human.tauB',
    say`Rank correlation of scores and people's mean ratings, adjusted for ties.`,
  ),
  correlationCard(
    say`Kendall τ-c with ratings`,
    'human.tauC',
    say`Rank correlation of scores and people's mean ratings, adjusted for their different numbers of distinct values (Stuart).`,
  ),
  correlationCard(
    say`Agreement between people (τ-b)`,
    'human.ceiling.tauB',
    say`Human ceiling: rank correlation of one person's ratings with the mean of the other people's ratings.`,
  ),
  correlationCard(
    say`Systems (Spearman)`,
    'human.system.spearman',
    say`Rank correlation of the systems' mean scores with their mean ratings.`,
  ),
  rateCard(
    say`Preferred caption scores higher`,
    'human.accuracy',
    say`Share of pairs in which the caption that people prefer scores higher. Chance level: 50 %.`,
  ),
  correlationCard(
    say`Ranking of systems (Spearman)`,
    'human.arena.spearman',
    say`Rank correlation of two rankings of the systems: by people's preferences, and by the evaluator's scores.`,
  ),
  rateCard(
    say`Caption scores higher than its foil`,
    'human.foil',
    say`Share of captions that score higher than the same caption with an error. Chance level: 50 %.`,
  ),
];

export const humanView = {
  id: 'human',
  title: 'People',
  question: 'Does the evaluator agree with people who rated captions or chose between them?',
  mode: 'gallery',
  madeFor: ['rating', 'preference'],
  rows: humanRows,
  columns: { before: say`caption`, after: say`other caption` },
  cards: fixedCards(cards),
  // The coefficients measure the same agreement. Kendall's τ-b is the usual one.
  families: [
    { name: 'rank correlation τ-b', metrics: /^human\.tauB$/ },
    { name: 'other correlations', metrics: /^human\.(?!accuracy|foil)/ },
    { name: 'choices', metrics: /^human\.(accuracy|foil)/ },
  ],
  leading: [
    {
      metric: /^human\.accuracy$/,
      words: (value) => say`${value} of preferences right`,
      sentence: (evaluator, value) => say`${evaluator} agrees with ${value} of people's preferences`,
    },
    {
      metric: /^human\.foil$/,
      words: (value) => say`${value} of foils found`,
      sentence: (evaluator, value) => say`${evaluator} finds ${value} of foils`,
    },
  ],
  sentence(metrics, evaluator) {
    const value = wholeMetric(metrics, 'human.tauB')?.value;
    return value === null || value === undefined
      ? undefined
      : say`The correlation of ${evaluator} with people's ratings is τ-b = ${value.toFixed(3)}`;
  },
} satisfies ProbeView<HumanRow>;
