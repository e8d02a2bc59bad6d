import { datasetBlocks, evaluatorTable, type Layout } from '../layout';
import type { Entry } from '../entry';
import { type Column, noValue } from '../table';

const params = 'The paper also has the number of parameters, which reports do not contain.';
const dimensions = {
  head: 'Dim',
  of: ({ report }: Entry) => String(report.evaluator.dimension ?? noValue),
};

function layout(
  id: string,
  mirrors: string,
  caption: string,
  columns: readonly Column[],
  more: { notes?: readonly string[]; facts?: readonly (typeof dimensions)[] } = {},
): Layout {
  return {
    ...{ id, mirrors, probe: 'visla' },
    build: (entries) =>
      evaluatorTable(entries, { id, caption, blocks: datasetBlocks(entries, columns), ...more }),
  };
}

function accuracy(head: string, metric: string): Column {
  return { head, metric, factor: 100, digits: 2, better: 'higher' };
}

const either =
  'VISLA, text to text: accuracy (%) of ranking either positive caption above the negative. P1 is the positive with the smaller edit distance to the negative, in characters.';

export const vislaLayouts: readonly Layout[] = [
  layout(
    'visla.table2',
    'VISLA, Table 2: accuracy of text encoders',
    'VISLA, text to text: accuracy (%) of ranking the negative caption below both positive captions.',
    [accuracy('Acc (%)', 'visla.t2t')],
    { notes: [params] },
  ),
  layout('visla.table3', 'VISLA, Table 3: accuracy for either positive caption', either, [
    accuracy('P1 - N', 'visla.t2t.p1n'),
    accuracy('P2 - N', 'visla.t2t.p2n'),
  ]),
  layout(
    'visla.table4',
    'VISLA, Table 4: text-to-text and image-to-text accuracy',
    'VISLA: accuracy (%) of ranking the negative caption last. T2T: text to text; I2T: image to text.',
    [accuracy('T2T', 'visla.t2t'), accuracy('I2T', 'visla.i2t')],
  ),
  layout(
    'visla.table5',
    'VISLA, Table 5: the same, with the dimensions of the encoders',
    either,
    [accuracy('P1-N Acc (%)', 'visla.t2t.p1n'), accuracy('P2-N Acc (%)', 'visla.t2t.p2n')],
    { notes: [params], facts: [dimensions] },
  ),
];
