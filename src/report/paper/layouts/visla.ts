import { inputError } from '../../../base/errors';
import { say } from '../../../base/say';
import { inOrder } from '../entry';
import type { FactName } from '../facts';
import { footnotes } from '../footnotes';
import { datasetBlocks, evaluatorTable, type Fact, type Layout } from '../layout';
import { type Column, noValue } from '../table';

const dimension: Fact = {
  head: 'Dim',
  of: ({ report }) =>
    report.evaluator.dimension === undefined ? undefined : String(report.evaluator.dimension),
};

function given(head: string, name: FactName): Fact {
  return { head, of: ({ facts }) => facts?.[name] };
}

interface Form {
  facts?: readonly Fact[];
  /** The datasets of a table about one of the benchmark's two files. */
  dataset?: RegExp;
}

function layout(
  table: number,
  what: string,
  caption: string,
  columns: readonly Column[],
  { facts = [], dataset }: Form = {},
): Layout {
  const id = `visla.table${table}`;
  return {
    ...{ id, probe: 'visla', mirrors: `VISLA, Table ${table}: ${what}` },
    build(entries) {
      const own = entries.filter((entry) => dataset?.test(entry.dataset) ?? true);
      if (own.length === 0)
        throw inputError(
          say('paper.benchmarkFileMissing', id),
          say('paper.giveBenchmarkReports', id === 'visla.table8' ? 'generic' : 'spatial'),
        );
      return evaluatorTable(own, { id, caption, facts, blocks: datasetBlocks(own, columns) });
    },
  };
}

function accuracy(head: string, metric: string): Column {
  return { head, metric, factor: 100, digits: 2, better: 'higher' };
}

const either =
  'VISLA, text to text: accuracy (%) of ranking either positive caption above the negative. P1 is the positive with the smaller edit distance to the negative, in characters.';
const last = (of = 'VISLA'): string =>
  `${of}: accuracy (%) of ranking the negative caption last. T2T: text to text; I2T: image to text.`;

const bothSettings = [accuracy('T2T', 'visla.t2t'), accuracy('I2T', 'visla.i2t')];
const parameters = given('# Params', 'parameters');

const details = (table: 8 | 9): Layout => {
  const name = table === 8 ? 'generic' : 'spatial';
  return layout(
    table,
    `image-to-text accuracy in detail, ${name} file`,
    `${last(`VISLA, ${name} file`)} P1-N and P2-N: either positive above the negative, image to text.`,
    [
      accuracy('P1-N', 'visla.i2t.p1n'),
      accuracy('P2-N', 'visla.i2t.p2n'),
      accuracy('I2T', 'visla.i2t'),
      accuracy('T2T', 'visla.t2t'),
    ],
    {
      facts: [given('Data', 'dataSize'), given('Model', 'parameters'), { ...dimension, head: 'Emb.' }],
      dataset: new RegExp(name, 'i'),
    },
  );
};

const detailFacts: readonly Fact[] = [
  given('# Params', 'parameters'),
  { ...dimension, head: 'Emb. dim.' },
  given('Data size', 'dataSize'),
  given('Data type', 'dataType'),
  given('Objectives', 'objectives'),
  given('Finetuned', 'finetuned'),
];

const detailsTable: Layout = {
  id: 'visla.table6',
  probe: 'visla',
  mirrors: 'VISLA, Table 6: details of the evaluators',
  build(entries) {
    const evaluators = inOrder(entries, ({ evaluator }) => evaluator).map((name) =>
      entries.find(({ evaluator }) => evaluator === name)!,
    );
    if (evaluators.every(({ facts = {} }) => Object.keys(facts).length === 0))
      throw inputError(say('paper.factsNeeded'), say('paper.nameFactsFile'));
    const heads = [[...detailFacts.map(({ head }) => ({ text: head, span: 1 }))]];
    return Promise.resolve({
      id: 'visla.table6',
      caption:
        'Details of the evaluators: parameters, dimension of the embeddings, and data and objectives of the pretraining.',
      ...{ heads, labels: 1 },
      rows: evaluators.map((entry) => ({
        labels: [entry.evaluator],
        cells: detailFacts.map(({ of }) => of(entry) ?? noValue),
      })),
      notes: [
        'The embedding dimension is from the reports. All other facts were given with --facts.',
        ...footnotes([], entries),
      ],
    });
  },
};

export const vislaLayouts: readonly Layout[] = [
  layout(
    2,
    'accuracy of text encoders',
    'VISLA, text to text: accuracy (%) of ranking the negative caption below both positive captions.',
    [accuracy('Acc (%)', 'visla.t2t')],
    { facts: [parameters] },
  ),
  layout(3, 'accuracy for either positive caption', either, [
    accuracy('P1 - N', 'visla.t2t.p1n'),
    accuracy('P2 - N', 'visla.t2t.p2n'),
  ]),
  layout(4, 'text-to-text and image-to-text accuracy', last(), bothSettings),
  layout(
    5,
    'the same as Table 3, with the dimensions of the encoders',
    either,
    [accuracy('P1-N Acc (%)', 'visla.t2t.p1n'), accuracy('P2-N Acc (%)', 'visla.t2t.p2n')],
    { facts: [dimension, parameters] },
  ),
  detailsTable,
  layout(7, 'variants of one encoder', last(), bothSettings, {
    facts: [
      given('Pre-training dataset', 'dataset'),
      given('Data size', 'dataSize'),
      parameters,
      { ...dimension, head: 'Emb.' },
    ],
  }),
  details(8),
  details(9),
];
