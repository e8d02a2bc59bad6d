/* Tables of benchmark files: what models without the image, or without the order of words, reach. */
import { bestBaseline } from '../../../probe/benchmark/best';
import type { Baseline } from '../../../probe/benchmark/blind/baselines';
import { faultyMetric } from '../../../probe/benchmark/faultNames';
import type { Slice } from '../../../probe/metric';
import type { Entry } from '../entry';
import { freeTable, type Layout, spans } from '../layout';
import { cellOf, type Column, findMetric, isNumber, type PaperCell, type PaperRow } from '../table';
import { cite } from '../references';

const share = (group: string, head: string, metric: string): Column => ({
  ...{ group, head, metric, factor: 100, digits: 1 },
});

const heads: readonly (readonly [Baseline, string])[] = [
  ['shorter', 'Short'],
  ['longer', 'Long'],
  ['first', 'First'],
  ['frequency', 'Freq.'],
  ['typeToken', 'TTR'],
  ['unigram', 'Words'],
  ['bigram', 'Pairs'],
  ['lm', 'LM'],
];

const blindGroup = 'Without the image';

const all: readonly Column[] = [
  share('Ceiling', 'Order', 'benchmark.orderBlind.ceiling'),
  share('Ceiling', 'Image', 'benchmark.imageBlind.ceiling'),
  ...heads.map(([name, head]) => share(blindGroup, head, `benchmark.blind.${name}`)),
  share('', 'Left', 'benchmark.left'),
  { head: 'Faulty', group: '', metric: faultyMetric, digits: 0 },
];

/** A column of the dataset file with more values is left out, so that the table fits on a page. */
const mostSlices = 12;

/** The slices of the file, if it is the only one. */
function slicesOf(entries: readonly Entry[]): Slice[] {
  if (entries.length > 1) return [];
  const own = entries[0].report.metrics.flatMap(({ id, slice }) =>
    id === all[0].metric && slice !== undefined ? [slice] : [],
  );
  const count = (key: string): number => own.filter((slice) => key in slice).length;
  return own.filter((slice) => Object.keys(slice).every((key) => count(key) <= mostSlices));
}

function rowOf(entry: Entry, columns: readonly Column[], label: string, slice?: Slice): PaperRow {
  const best = slice === undefined ? bestBaseline(entry.report.metrics) : undefined;
  const cells = columns.map((column): PaperCell => {
    const cell = cellOf(entry, slice === undefined ? column : { ...column, slice });
    return isNumber(cell) && best !== undefined && cell.metric.id === best.metric.id
      ? { ...cell, best: true }
      : cell;
  });
  return { labels: [label], cells };
}

/** What the columns mean, of those that the table has. */
function explained(heads: readonly string[]): string {
  const meanings: [head: string, meaning: string][] = [
    ['Short', 'Short, Long: the shorter, the longer caption.'],
    ['First', 'First: the first one of a list.'],
    ['Freq.', 'Freq.: more frequent words.'],
    ['TTR', 'TTR: more different words.'],
    ['Words', 'Words, Pairs: logistic regressions on words, and on words and pairs of words.'],
    ['LM', 'LM: a language model.'],
  ];
  return meanings
    .filter(([head]) => heads.includes(head))
    .map(([, meaning]) => meaning)
    .join(' ');
}

export const benchmarkLayout: Layout = {
  id: 'benchmark',
  probe: 'benchmark',
  mirrors: 'Benchmark: ceilings, models without the image, and faults, by file',
  build(entries) {
    const columns = all.filter(({ metric }) => entries.some((entry) => findMetric(entry, metric, undefined)));
    const rows = entries.flatMap((entry) => [
      rowOf(entry, columns, entry.dataset),
      ...slicesOf(entries).map((slice) =>
        rowOf(
          entry,
          columns,
          Object.entries(slice)
            .map(([key, value]) => `${key}: ${value}`)
            .join(', '),
          slice,
        ),
      ),
    ]);
    const chances = entries.map(({ report: { metrics } }) => bestBaseline(metrics)?.metric.chance);
    const isBold = chances.some((chance) => chance !== undefined);
    return Promise.resolve(
      freeTable(
        {
          id: 'benchmark',
          caption:
            'Highest accuracy (%) of models without the order of words (Order) and without the image (Image), accuracy (%) of models without the image, items that none of them solves (Left, %), and number of items with a fault (Faulty).',
          heads: [
            spans(columns.map(({ group = '' }) => group)),
            columns.map(({ head }) => ({ text: head, span: 1 })),
          ],
          labels: 1,
          rows,
          notes: [
            explained(columns.map(({ head }) => head)),
            isBold
              ? 'Bold: the model with the highest lead over chance in the file, if it is better than chance (p < 0.05 after Holm’s correction over all models of the file). Slices are not tested.'
              : 'No model is shown to be better than chance (p < 0.05 after Holm’s correction over all models of a file).',
            'Left counts the items that no model solves, among the models of the file that are better than chance.',
          ],
        },
        entries,
      ),
    );
  },
};

/** What a check of a benchmark does. */
export function benchmarkMethods(entries: readonly Entry[], datasets: string): string[] {
  if (entries.length === 0) return [];
  const versions = [...new Set(entries.map(({ report }) => report.versions.captious ?? 'unknown'))];
  const seeds = [...new Set(entries.map(({ report }) => report.seed))];
  const limits = [...new Set(entries.flatMap(({ report }) => report.limit ?? []))];
  return [
    `We checked ${datasets} with Captious ${versions.join(', ')}${cite()}, without any evaluator.`,
    limits.length === 0 ? '' : `Only the first ${limits.join(', ')} examples of a file were read.`,
    'An item is a right caption with all captions that are wrong about the same image; a tie of k captions for the highest score counts 1/k.',
    'Ceilings are the highest accuracies of models that see the image and the words of each caption without their order, and of models that see the captions without the image.',
    `The models without the image prefer the shorter, the longer or the first caption, more frequent words, or more different words, or are fitted: logistic regressions on counts of words, and of words and pairs of adjacent words (L2 penalty 1), and a language model of right captions with Witten and Bell’s interpolation. Fitted models score the items of each of five folds of images (seed ${seeds.join(', ')}) after training on the other folds.`,
    `Each model is tested against chance with the test of its interval; near 0 and 1, the exact binomial test must agree, too. The p values of a file are adjusted by Holm’s method${cite('holm1979')}.`,
  ];
}
