import { english } from '../../base/english';
import { type Said, say, type Words } from '../../base/say';
import type { Card } from '../../protocol/panel';
import type { Verdict } from '../../protocol/rows';
import { lengthNames } from '../inference/lengthNames';
import { rowCheck } from '../rowSchema';
import {
  fixedCards,
  leadWords,
  numberCard,
  type ProbeView,
  rowView,
  shareCard,
  type ShownCaption,
  wholeMetric,
} from '../view';
import { type HumanRow, humanRowSchema, kindOf, leadOf } from './row';

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
  if (band === undefined) return say('human.notRated');
  return { low: say('human.lowestThird'), middle: say('human.middleThird'), high: say('human.highestThird') }[
    band
  ];
}

function systemOf({ systems }: HumanRow): Words {
  return systems === undefined ? say('human.systemUnknown') : systems.join(', ');
}

function labelOf(row: HumanRow): Words {
  if (row.kind === 'rating') return say('human.ratedAs', (row.ratings ?? []).join(', '));
  if (row.kind === 'foil') return say('human.foil');
  return row.preferred === null ? say('human.rowUndecided') : (kindOf(row) ?? say('human.rowPreference'));
}

/** The indexes of the captions, with the preferred caption first. */
function ordered({ captions, preferred }: HumanRow): number[] {
  return captions.length === 1 ? [0] : preferred === 1 ? [1, 0] : [0, 1];
}

export const humanRows = rowView<HumanRow>({
  row: rowCheck(humanRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    { id: 'kind', title: say('human.kindOfPair'), share: false },
    { id: 'band', title: say('human.ratingThirds'), share: false },
    { id: 'system', title: say('human.system'), share: false },
  ],
  delta: { title: say('human.rankGapOrLead'), head: say('choice.lead') },
  points: {
    title: say('human.ranksChart'),
    x: say('human.rankByPeople'),
    y: say('human.rankByEvaluator'),
    border: 'diagonal',
  },

  key: ({ captions }) => captions.join('\n'),

  facts: (row) => [
    {
      delta: deltaOf(row),
      harm: harmOf(row),
      verdict: verdictOf(row),
      facets: [
        verdictOf(row),
        kindOf(row) ?? english(say('human.systemUnknown')),
        english(bandOf(row)),
        english(systemOf(row)),
      ],
      ...(row.ranks === undefined ? {} : { point: [row.ranks.people, row.ranks.evaluator] as const }),
    },
  ],

  words: (row) => [...row.captions, row.image ?? ''].join('\n'),

  line(row) {
    const [first, second] = ordered(row).map((i) => row.captions[i]);
    return {
      before: first,
      after: second ?? '',
      label: labelOf(row),
      score: row.scores[row.scores.length - 1][ordered(row)[0]],
    };
  },

  captions: captionsOf,
  detail: (row) => ({ notes: notesOf(row) }),
  mark: (row) => ({
    // The sign of the result stands at the first text.
    texts: ordered(row).map((i) => row.captions[i]),
    words: verdictOf(row) === 'none' ? labelOf(row) : leadWords(deltaOf(row)),
  }),
});

function captionsOf(row: HumanRow): ShownCaption[] {
  const scores = row.scores[row.scores.length - 1];
  return ordered(row).map((i, at): ShownCaption => ({
    label:
      row.kind === 'rating'
        ? say('dataset.caption')
        : row.kind === 'foil'
          ? at === 0
            ? say('dataset.caption')
            : say('human.foil')
          : row.preferred === null
            ? say('human.candidateNumber', i + 1)
            : at === 0
              ? say('human.preferred')
              : say('human.notPreferred'),
    text: row.captions[i],
    score: scores[i],
    ...(at === 0 ? {} : { delta: scores[i] - scores[ordered(row)[0]], against: 0 }),
    verdict: at === 0 ? 'none' : verdictOf(row),
  }));
}

/** The order of votes and systems is the order of the captions in the view. */
function notesOf(row: HumanRow): Words[] {
  const order = ordered(row);
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  return [
    ...(row.ratings === undefined ? [] : [say('human.ratingsOfCaption', row.ratings.join(', '))]),
    ...(row.ranks === undefined
      ? []
      : [say('human.ranksOfCaption', percent(row.ranks.people), percent(row.ranks.evaluator))]),
    ...(row.votes === undefined
      ? []
      : [say('human.votesOfPair', order.map((i) => row.votes![i]).join(' : '))]),
    ...(row.systems === undefined
      ? []
      : [say('human.systemOfCaption', order.map((i) => row.systems![i]).join(', '))]),
    ...(row.references === undefined ? [] : [say('human.referencesUsed', row.references.join(', '))]),
    ...Object.entries(row.tags ?? {}).map(([tag, value]) => `${tag}: ${value}`),
  ];
}

function correlationCard(title: Said, metric: string, about: Said): Card {
  return numberCard(title, metric, about, [-1, 1]);
}

function rateCard(title: Said, metric: string, about: Said): Card {
  return shareCard(title, metric, about, { chance: 0.5 });
}

const cards: readonly Card[] = [
  correlationCard(say('human.kendallB'), 'human.tauB', say('human.kendallBMeaning')),
  correlationCard(say('human.kendallC'), 'human.tauC', say('human.kendallCMeaning')),
  correlationCard(say('human.ceiling'), 'human.ceiling.tauB', say('human.ceilingMeaning')),
  correlationCard(say('human.systemRatings'), 'human.system.spearman', say('human.systemRatingsMeaning')),
  rateCard(say('human.preference'), 'human.accuracy', say('human.preferenceMeaning')),
  correlationCard(say('human.systemRanking'), 'human.arena.spearman', say('human.systemRankingMeaning')),
  rateCard(say('human.foilDetection'), 'human.foil', say('human.foilDetectionMeaning')),
];

export const humanView = {
  id: 'human',
  title: 'People',
  question: 'Does the evaluator agree with people who rated captions or chose between them?',
  mode: 'gallery',
  madeFor: ['rating', 'preference'],
  rows: humanRows,
  columns: {
    before: say('dataset.caption'),
    after: say('human.otherCaption'),
    score: say('probe.firstScore'),
  },
  cards: fixedCards(cards),
  metricParts: {
    ...lengthNames('human'),
    'human.family': say('human.familyFavoured'),
    'human.family.p': say('base.labelledPart', say('human.familyFavoured'), say('invariance.pValue')),
  },
  // The coefficients measure the same agreement. Kendall's τ-b is the usual one.
  families: [
    { name: 'rank correlation τ-b', metrics: /^human\.tauB$/ },
    { name: 'other correlations', metrics: /^human\.(?!accuracy|foil)/ },
    { name: 'choices', metrics: /^human\.(accuracy|foil)/ },
  ],
  leading: [
    {
      metric: /^human\.accuracy$/,
      words: (value) => say('human.preferenceShare', value),
      sentence: (evaluator, value) => say('human.preferenceHeadline', evaluator, value),
    },
    {
      metric: /^human\.foil$/,
      words: (value) => say('human.foilShare', value),
      sentence: (evaluator, value) => say('human.foilHeadline', evaluator, value),
    },
  ],
  sentence(metrics, evaluator) {
    const value = wholeMetric(metrics, 'human.tauB')?.value;
    return value === null || value === undefined
      ? undefined
      : say('human.ratingHeadline', evaluator, value.toFixed(3));
  },
} satisfies ProbeView<HumanRow>;
