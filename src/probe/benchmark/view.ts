import { english } from '../../base/english';
import { entryOf } from '../../base/entryOf';
import { inARow, say, type Said, type Words } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { percent } from '../claim';
import type { Metric } from '../metric';
import { rowCheck } from '../rowSchema';
import {
  fixedCards,
  numberCard,
  type ProbeView,
  rowView,
  shareCard,
  type ShownCaption,
  wholeMetric,
} from '../view';
import { bestBaseline } from './best';
import { baselineNames } from './blind/names';
import { benchmarkCharts } from './charts';
import { type Fault, faultMetrics, faultNames, faultyMetric } from './faultNames';
import { type BenchmarkRow, benchmarkRowSchema } from './row';

const names: Readonly<Record<string, Said>> = {
  ...baselineNames,
  orderBlind: say('benchmark.orderBlind'),
  imageBlind: say('benchmark.imageBlind'),
  ceiling: say('benchmark.ceiling'),
  blind: say('benchmark.blind'),
  left: say('benchmark.left'),
  faulty: say('benchmark.faulty'),
};

/** What a ceiling of the row keeps a blind model from. */
function ceilingOf({ credits }: BenchmarkRow): Said {
  if (credits.imageBlind < 1) return say('benchmark.needsImage');
  return credits.orderBlind < 1 ? say('benchmark.needsOrder') : say('benchmark.noCeiling');
}

function isBelowCeiling({ credits }: BenchmarkRow): boolean {
  return credits.imageBlind < 1 || credits.orderBlind < 1;
}

/** Whether a baseline that is better than chance solves the row. */
function blindOf({ credits }: BenchmarkRow): Said {
  return credits.left === 1 ? say('benchmark.left') : say('benchmark.solvedBlind');
}

export function faultsOf({ faults = [] }: BenchmarkRow): Words[] {
  return faults.map((fault) => entryOf(faultNames, fault) ?? fault);
}

const wrongOf = ({ captions, right }: BenchmarkRow): string => captions[right === 0 ? 1 : 0];

const benchmarkRows = rowView<BenchmarkRow>({
  row: rowCheck(benchmarkRowSchema),
  facets: [
    { id: 'ceiling', title: say('benchmark.ceiling'), share: false },
    { id: 'blind', title: say('benchmark.blind'), share: false },
    { id: 'fault', title: say('benchmark.fault'), share: false },
  ],
  delta: { title: say('benchmark.nothingCompared'), head: 'Δ' },

  key: ({ captions, right }) => [captions[right], ...captions].join('\n'),
  facts: (row) => [
    {
      delta: undefined,
      harm: 0,
      verdict: 'none',
      facets: [ceilingOf(row), blindOf(row), faultsOf(row)[0] ?? say('benchmark.noFault')].map((one) =>
        english(one),
      ),
    },
  ],
  words: ({ captions, image }) => [...captions, image ?? ''].join('\n'),
  line: (row) => ({
    before: row.captions[row.right],
    after: wrongOf(row),
    label: faultsOf(row)[0] ?? ceilingOf(row),
  }),
  captions: captionsOf,
  detail: (row) => ({
    notes: [...faultsOf(row), ...elsewhereOf(row), ...findingsOf(row), ...creditsOf(row)],
  }),
  mark(row) {
    const own = faultsOf(row);
    const ceiling = isBelowCeiling(row) ? [ceilingOf(row)] : [];
    return {
      texts: row.captions,
      words: own.length + ceiling.length === 0 ? blindOf(row) : inARow([...own, ...ceiling]),
      ...(own.length > 0 ? { flagged: true } : ceiling.length > 0 ? { hint: english(ceilingOf(row)) } : {}),
    };
  },
});

/** What audited evaluators say about the row. */
function findingsOf({ evaluators }: BenchmarkRow): Words[] {
  if (evaluators === undefined) return [];
  const { credits, suspect, wrongLabel, difficulty, discrimination } = evaluators;
  const own = Object.values(credits);
  const short = (value: number): string => value.toFixed(2);
  return [
    say('benchmark.rightEvaluators', own.filter((credit) => credit === 1).length, own.length),
    ...(suspect === undefined || wrongLabel === undefined
      ? []
      : [say('benchmark.suspectPlace', suspect, short(wrongLabel))]),
    ...(difficulty === undefined ? [] : [say('benchmark.difficultyWords', ...difficulty.map(short))]),
    ...(discrimination === undefined
      ? []
      : [say('benchmark.discriminationWords', ...discrimination.map(short))]),
  ];
}

function creditsOf({ credits }: BenchmarkRow): Words[] {
  return Object.entries(credits).map(([name, credit]) =>
    say('base.labelledPart', names[name] ?? name, credit.toFixed(2)),
  );
}

/** Where else the item's image or its right caption is. */
function elsewhereOf({ earlierImage, leaks = {} }: BenchmarkRow): Words[] {
  const others = Object.entries(leaks).map(([kind, where]) =>
    say('base.labelledPart', entryOf(faultNames, kind) ?? kind, where),
  );
  return earlierImage === undefined ? others : [say('benchmark.earlierImage', earlierImage), ...others];
}

function captionsOf({ captions, right }: BenchmarkRow): ShownCaption[] {
  const labelOf = (c: number): Words => (c === right ? say('dataset.caption') : say('choice.wrongCaption'));
  return captions.map((text, c) => ({ label: labelOf(c), text, chosen: c === right }));
}

const ceilings = [
  {
    name: 'orderBlind',
    about: say('benchmark.orderBlindMeaning'),
    atMost: (share: string) => say('benchmark.orderBlindAtMost', share),
  },
  {
    name: 'imageBlind',
    about: say('benchmark.imageBlindMeaning'),
    atMost: (share: string) => say('benchmark.imageBlindAtMost', share),
  },
] as const;

const ceilingCards = ceilings.map(({ name, about }) =>
  shareCard(inARow([names[name], names.ceiling], ', '), `benchmark.${name}.ceiling`, about),
);

/** The best baseline comes first, if it is better than chance. */
function cardsOf(metrics: readonly Metric[]): Card[] {
  const best = bestBaseline(metrics);
  const faulty = wholeMetric(metrics, faultyMetric);
  return fixedCards([
    ...(best === undefined
      ? []
      : [
          shareCard(
            inARow([names.blind, names[best.name]], ': '),
            best.metric.id,
            say('benchmark.bestMeaning'),
            best.metric.chance === undefined ? {} : { chance: best.metric.chance },
          ),
        ]),
    ...ceilingCards,
    ...(wholeMetric(metrics, 'benchmark.left')?.moot === true
      ? []
      : [shareCard(names.left, 'benchmark.left', say('benchmark.leftMeaning'))]),
    numberCard(names.faulty, faultyMetric, say('benchmark.faultyMeaning'), [0, faulty?.n ?? 1], {
      style: 'count',
    }),
  ])(metrics);
}

/** The best baseline, and the ceilings that are below 100 %. */
function sentenceOf(metrics: readonly Metric[]): Words | undefined {
  const best = bestBaseline(metrics);
  const below = ceilings.flatMap(({ name, atMost }) => {
    const value = wholeMetric(metrics, `benchmark.${name}.ceiling`)?.value ?? 1;
    return value < 1 ? [atMost(percent(value))] : [];
  });
  const parts = [
    ...(best === undefined
      ? []
      : [say('benchmark.bestInShort', percent(best.metric.value), names[best.name])]),
    ...below,
  ];
  if (parts.length > 0) return inARow(parts, '; ');
  const isTested = metrics.some(({ id }) => id.startsWith('benchmark.blind.') && id.endsWith('.p'));
  return isTested ? say('benchmark.noBlindInShort') : undefined;
}

const namesOfEvaluators: Readonly<Record<string, Said>> = {
  accuracy: say('benchmark.accuracy'),
  beyondBlind: say('benchmark.beyondBlind'),
  loss: say('benchmark.beyondBlindLoss'),
  ability: say('benchmark.ability'),
  rank: say('benchmark.rank'),
  kept: say('benchmark.rankKept'),
  allRight: say('benchmark.allRight'),
  allWrong: say('benchmark.allWrong'),
  suspects: say('benchmark.suspects'),
  subset: say('benchmark.subset'),
  size: say('benchmark.subsetSize'),
  tau: say('benchmark.subsetTau'),
  error: say('benchmark.subsetError'),
};

const namesOfCounts = Object.fromEntries(
  Object.entries(faultMetrics).map(([fault, id]) => [id, faultNames[fault as Fault]]),
);

export const benchmarkView = {
  id: 'benchmark',
  title: 'Benchmark',
  question: 'How much of a benchmark is solved without the image, or without the order of words?',
  // All items together decide what a model without the image can learn, so edited captions need a new run.
  mode: 'gallery',
  madeFor: ['choice', 'crossed', 'triplet', 'pair'],
  rows: benchmarkRows,
  columns: { before: say('dataset.caption'), after: say('choice.wrongCaption') },
  isUnscored: true,
  cards: cardsOf,
  metricCharts: benchmarkCharts,
  sentence: sentenceOf,
  metricParts: { ...names, ...namesOfCounts, ...namesOfEvaluators },
  // A benchmark is not better or worse for any of these numbers.
  better: () => undefined,
} satisfies ProbeView<BenchmarkRow>;
