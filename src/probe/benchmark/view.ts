import { english } from '../../base/english';
import { entryOf } from '../../base/entryOf';
import { inARow, say, type Said, type Words } from '../../base/say';
import type { Card } from '../../protocol/panel';
import type { LabelledCaption } from '../../protocol/rows';
import { rowCheck } from '../rowSchema';
import { fixedCards, type ProbeView, type RowView } from '../view';
import { baselineNames } from './blind/names';
import { type Fault, faultMetrics, faultNames } from './faultNames';
import { type BenchmarkRow, benchmarkRowSchema } from './row';

const names: Readonly<Record<string, Said>> = {
  ...baselineNames,
  orderBlind: say('benchmark.orderBlind'),
  imageBlind: say('benchmark.imageBlind'),
  ceiling: say('benchmark.ceiling'),
  blind: say('benchmark.blind'),
  left: say('benchmark.left'),
};

/** What a ceiling of the row keeps a blind model from. */
function ceilingOf({ credits }: BenchmarkRow): Said {
  if (credits.imageBlind < 1) return say('benchmark.needsImage');
  return credits.orderBlind < 1 ? say('benchmark.needsOrder') : say('benchmark.noCeiling');
}

/** Whether a baseline that is better than chance solves the row. */
function blindOf({ credits }: BenchmarkRow): Said {
  return credits.left === 1 ? say('benchmark.left') : say('benchmark.solvedBlind');
}

export function faultsOf({ faults = [] }: BenchmarkRow): Words[] {
  return faults.map((fault) => entryOf(faultNames, fault) ?? fault);
}

const wrongOf = ({ captions, right }: BenchmarkRow): string => captions[right === 0 ? 1 : 0];

const benchmarkRows: RowView<BenchmarkRow> = {
  row: rowCheck(benchmarkRowSchema),
  facets: [
    { id: 'ceiling', title: say('benchmark.ceiling'), share: false },
    { id: 'blind', title: say('benchmark.blind'), share: false },
    { id: 'fault', title: say('benchmark.fault'), share: false },
  ],
  delta: { title: say('benchmark.nothingCompared'), head: 'Δ' },

  key: ({ captions, right }) => [captions[right], ...captions].join('\n'),
  fileLine: (row) => row.place?.line,
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
    ...{ line: row.place?.line, image: row.image, verdict: 'none' },
    ...{ before: row.captions[row.right], after: wrongOf(row), label: faultsOf(row)[0] ?? ceilingOf(row) },
  }),
  detail: (row) => ({
    ...{ example: row.example, line: row.place?.line, image: row.image, captions: captionsOf(row) },
    notes: [...faultsOf(row), ...elsewhereOf(row), ...creditsOf(row)],
  }),
  mark: (row) => ({ texts: row.captions, words: ceilingOf(row), captions: captionsOf(row) }),
};

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

function captionsOf({ captions, right }: BenchmarkRow): LabelledCaption[] {
  return captions.map((text, c) => ({
    label: c === right ? say('dataset.caption') : say('choice.wrongCaption'),
    text,
    verdict: 'none',
    chosen: c === right,
  }));
}

const cards: readonly Card[] = [
  {
    title: inARow([names.orderBlind, names.ceiling], ', '),
    metric: 'benchmark.orderBlind.ceiling',
    ...{ style: 'percent', range: [0, 1], about: say('benchmark.orderBlindMeaning') },
  },
  {
    title: inARow([names.imageBlind, names.ceiling], ', '),
    metric: 'benchmark.imageBlind.ceiling',
    ...{ style: 'percent', range: [0, 1], about: say('benchmark.imageBlindMeaning') },
  },
  {
    title: say('benchmark.left'),
    metric: 'benchmark.left',
    ...{ style: 'percent', range: [0, 1], about: say('benchmark.leftMeaning') },
  },
];

const namesOfCounts = Object.fromEntries(
  Object.entries(faultMetrics).map(([fault, id]) => [id, faultNames[fault as Fault]]),
);

export const benchmarkView = {
  id: 'benchmark',
  title: 'Benchmark',
  question: 'How much of a benchmark is solved without the image, or without the order of words?',
  mode: 'pairs',
  madeFor: ['choice', 'crossed', 'triplet', 'pair'],
  rows: benchmarkRows,
  columns: { before: say('dataset.caption'), after: say('choice.wrongCaption') },
  cards: fixedCards(cards),
  metricParts: { ...names, ...namesOfCounts },
  // A benchmark is not better or worse for any of these numbers.
  better: () => undefined,
} satisfies ProbeView<BenchmarkRow>;
