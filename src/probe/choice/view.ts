import { say, type Words } from '../../base/say';
import type { Card } from '../../protocol/panel';
import type { Verdict } from '../../protocol/rows';
import { besideCards, betterBeside } from '../benchmark/beside/view';
import { rowCheck } from '../rowSchema';
import { leadWords, type ProbeView, rowView, shareCard, type ShownCaption, wholeMetric } from '../view';
import { leadsOf, leastLeadOf, lineOfLead } from './decide';
import { type ChoiceRow, choiceRowSchema } from './row';

/** The smallest lead of a right answer over a wrong answer. */
function leadOf(row: ChoiceRow): number {
  if (row.images.length === 0)
    return row.texts === undefined ? 0 : row.texts[0] - Math.max(row.texts[1], row.texts[2]);
  const { group, text, image } = leadsOf(row);
  return group ?? text ?? image ?? 0;
}

function verdictOf(row: ChoiceRow): Verdict {
  const lead = leadOf(row);
  return lead === 0 ? 'tie' : lead > 0 ? 'right' : 'wrong';
}

function firstRight({ rightOf }: ChoiceRow): number {
  const first = rightOf.findIndex((own) => own >= 0);
  return Math.max(0, first);
}

/** The indexes of the first right caption, and of the wrong one (if any) with the highest score. */
function leadingPair(row: ChoiceRow): { right: number; wrong: number | undefined } {
  const right = firstRight(row);
  const own = Math.max(0, row.rightOf[right]);
  const others = row.captions.map((_, c) => c).filter((c) => row.rightOf[c] !== own);
  const scores = row.scores.at(own);
  others.sort((a, b) => (scores?.[b] ?? 0) - (scores?.[a] ?? 0));
  return { right, wrong: others.at(0) };
}

export const choiceRows = rowView<ChoiceRow>({
  row: rowCheck(choiceRowSchema),
  facets: [{ id: 'verdict', title: say('choice.result'), share: false, outcome: true }],
  delta: { title: say('choice.smallestLead'), head: say('choice.lead') },

  key: ({ captions }) => captions.join('\n'),

  facts(row) {
    const lead = leadOf(row);
    return [{ delta: lead, harm: -lead, verdict: verdictOf(row), facets: [verdictOf(row)] }];
  },

  words: (row) => [...row.captions, ...row.images].join('\n'),

  line(row) {
    const label = say('choice.rowSize', row.images.length, row.captions.length);
    const least = row.images.length > 1 ? leastLeadOf(row) : undefined;
    // Only the first image is shown cropped.
    if (least !== undefined)
      return { ...(least.image === 0 ? croppedOf(row) : {}), ...lineOfLead(least, row), label };
    const { right, wrong } = leadingPair(row);
    return {
      ...croppedOf(row),
      before: row.captions[right],
      after: wrong === undefined ? (row.images.at(1) ?? '') : row.captions[wrong],
      label,
      score: row.scores.at(Math.max(0, row.rightOf[right]))?.[right],
    };
  },

  captions: captionsOf,

  detail: (row) => ({
    ...croppedOf(row),
    ...(row.images.length === 2 && row.captions.length === 2 && row.rightOf.join() === '0,1'
      ? {
          crossed: {
            images: row.images,
            captions: row.captions,
            scores: row.captions.map((_, c) => row.scores.map((own) => own[c])),
            captionFinds: leadsOf(row).images.map((lead) => (lead ?? 0) > 0),
            imageFinds: leadsOf(row).captions.map((lead) => (lead ?? 0) > 0),
          },
        }
      : {}),
    notes: [
      ...Object.entries(row.tags ?? {}).map(([tag, value]) => `${tag}: ${value}`),
      ...cropOf(row).map(({ x, y, width, height }) => say('choice.seenPart', width, height, x, y)),
    ],
  }),

  transforms: (row) => cropOf(row).map((box) => ({ op: 'crop', ...box })),

  mark(row) {
    const right = firstRight(row);
    // The sign of the result stands at the first text.
    const texts = [row.captions[right], ...row.captions.toSpliced(right, 1)];
    return { texts, words: leadWords(leadOf(row)) };
  },
});

/** The part of the row's first image that was scored, as a list; empty if the whole image was scored. */
function cropOf({ crops }: ChoiceRow): NonNullable<NonNullable<ChoiceRow['crops']>[number]>[] {
  const crop = crops?.at(0);
  return crop === undefined || crop === null ? [] : [crop];
}

function croppedOf(row: ChoiceRow): { cropped?: true } {
  return cropOf(row).length === 0 ? {} : { cropped: true };
}

function captionsOf(row: ChoiceRow): ShownCaption[] {
  const first = firstRight(row);
  return row.scores.flatMap((scores, i) => {
    const own = row.rightOf.findIndex((at) => at === i);
    return row.captions.map((text, c): ShownCaption => {
      const isRight = row.rightOf[c] === i;
      const delta = own < 0 ? undefined : scores[own] - scores[c];
      return {
        label: labelOf(isRight, i, row.images.length),
        text,
        score: scores[c],
        ...(isRight || delta === undefined ? {} : { delta, against: i * row.captions.length + own }),
        verdict:
          isRight || delta === undefined ? 'none' : delta > 0 ? 'right' : delta === 0 ? 'tie' : 'wrong',
        chosen: i === 0 && c === first && row.scores.length === 1,
      };
    });
  });
}

function labelOf(isRight: boolean, image: number, images: number): Words {
  const label = isRight ? say('dataset.caption') : say('choice.wrongCaption');
  return images === 1 ? label : say('choice.captionWithImageNumber', label, image + 1);
}

const cards: readonly Card[] = [
  shareCard(say('choice.captionPreferred'), 'choice.accuracy', say('choice.captionPreferredMeaning')),
  shareCard(say('choice.bothBeatWrong'), 'choice.itt', say('choice.bothBeatWrongMeaning')),
  shareCard(say('choice.withoutImage'), 'choice.tot', say('choice.withoutImageMeaning')),
  shareCard(say('choice.captionPerImage'), 'choice.text', say('choice.captionPerImageMeaning')),
  shareCard(say('choice.imagePerCaption'), 'choice.image', say('choice.imagePerCaptionMeaning')),
  shareCard(say('choice.allComparisons'), 'choice.group', say('choice.allComparisonsMeaning')),
  shareCard(say('choice.bestAssignment'), 'choice.match', say('choice.bestAssignmentMeaning')),
  shareCard(say('choice.imagePreferred'), 'choice.imageAccuracy', say('choice.imagePreferredMeaning')),
];

export const choiceView = {
  id: 'choice',
  title: 'Choice',
  question: 'Does the evaluator find which caption belongs to which image?',
  mode: 'pairs',
  madeFor: ['choice', 'crossed', 'triplet', 'pair'],
  rows: choiceRows,
  columns: {
    before: say('dataset.caption'),
    after: say('choice.wrongOfPair'),
    score: say('probe.firstScore'),
  },
  cards: (metrics) =>
    cards.flatMap((card): Card[] => {
      const metric = wholeMetric(metrics, card.metric);
      if (metric === undefined) return [];
      const chance = metric.chance === undefined ? {} : { chance: metric.chance };
      return [{ ...card, ...chance }, ...besideCards(metrics, card.metric)];
    }),
  better: betterBeside,
  leading: [
    {
      metric: /^choice\.group$/,
      words: (value) => say('choice.allComparisonsShare', value),
      sentence: (evaluator, value) => say('choice.allComparisonsHeadline', evaluator, value),
    },
    ...[/^choice\.itt$/, /^choice\.accuracy$/].map((metric) => ({
      metric,
      words: (value: string) => say('choice.rightShare', value),
      sentence: (evaluator: string, value: string) => say('choice.captionHeadline', evaluator, value),
    })),
    {
      metric: /^choice\.imageAccuracy$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('choice.imageHeadline', evaluator, value),
    },
  ],
} satisfies ProbeView<ChoiceRow>;
