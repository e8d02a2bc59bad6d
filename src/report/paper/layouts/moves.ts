/* Makes the invariance audit's tables of moved objects: how visible the moves are, and how scores change. */
import { append } from '../../../base/lists';
import { moveDiagnostics, withoutTop } from '../../../probe/invariance/reposition';
import { invarianceRows } from '../../invarianceRows';
import { type Entry, inOrder } from '../entry';
import { freeTable, type Layout, noValues } from '../layout';
import { cellOf, type Column, type PaperCell, type PaperRow } from '../table';

/** Needed for moves: outlined objects. */
const needs = 'invariance.instances=FILE';

const conditions: readonly { name: string; without?: string }[] = [
  { name: 'None (all)' },
  { name: 'Drop top 5 % SeamE', without: withoutTop(5, 'seam') },
  { name: 'Drop top 5 % BG Δ', without: withoutTop(5, 'background') },
  { name: 'Drop top 5 % either', without: withoutTop(5, 'either') },
  { name: 'Drop top 10 % either', without: withoutTop(10, 'either') },
];

const families = [
  ['Reposition', 'reposition.br-tl'],
  ['Rotation', 'rotation'],
] as const;

const percent = { digits: 1, signed: true };

export const moveDiagnosticsTable: Layout = {
  id: 'invariance.table2',
  probe: 'invariance',
  mirrors: 'Invariance audit, Table 2: diagnostics of moved objects',
  async build(entries) {
    const datasets = inOrder(entries, ({ dataset }) => dataset);
    const evaluators = inOrder(entries, ({ evaluator }) => evaluator);
    const rows: PaperRow[] = [];
    for (const dataset of datasets) {
      const own = entries.filter((entry) => entry.dataset === dataset);
      append(rows, await diagnosticRows(own, evaluators, datasets.length > 1));
    }
    const id = 'invariance.table2';
    if (rows.length === 0) throw noValues(id, needs);
    const heads = ['Ret. (%)', 'BG Δ', 'SeamE ratio', ...evaluators].map((text) => ({ text, span: 1 }));
    return freeTable(
      {
        id,
        caption:
          'Moved objects with and without the most visibly edited images: share of the moves that is left (Ret.), background change (BG Δ) and seam energy (SeamE), and the median change of the score (%) from the top left to the bottom right.',
        ...{ heads: [heads], labels: datasets.length > 1 ? 2 : 1, rows },
        notes: [
          'BG Δ (× 1000; lower is better): mean absolute change of pixels outside the object’s former and new place. SeamE ratio (1 is best): edge energy around the pasted object, after the move / before. Both are medians over images, of the larger of the two moves.',
          'The paper’s row “Feathered-alpha subset” is an audit of its own: set invariance.feather.',
        ],
      },
      entries,
    );
  },
};

export const movesTable: Layout = {
  id: 'invariance.table4',
  probe: 'invariance',
  mirrors: 'Invariance audit, Table 4: moved objects and rotations',
  build(entries) {
    const datasets = inOrder(entries, ({ dataset }) => dataset);
    const rows = inOrder(entries, ({ evaluator }) => evaluator).flatMap((evaluator) =>
      families.map(([type, family], i): PaperRow => ({
        labels: [i === 0 ? evaluator : '', type],
        cells: datasets.map((dataset) =>
          cellOf(
            entries.find((entry) => entry.evaluator === evaluator && entry.dataset === dataset),
            { head: dataset, metric: `invariance.spatial.${family}.median`, ...percent },
          ),
        ),
        ruled: i === 0,
      })),
    );
    return Promise.resolve(
      freeTable(
        {
          id: 'invariance.table4',
          caption:
            'Moved objects (bottom right against top left) and rotations: median change of the score (%).',
          heads: [datasets.map((text) => ({ text, span: 1 }))],
          ...{ labels: 2, labelHeads: ['', 'Type'], rows },
          notes: ['Rotation: by 5 and 10 degrees in both directions.'],
        },
        entries,
      ),
    );
  },
};

/** The rows of one dataset. How visible moves are does not depend on the evaluator, so the first report says it. */
async function diagnosticRows(
  own: readonly Entry[],
  evaluators: readonly string[],
  isNamed: boolean,
): Promise<PaperRow[]> {
  const [first] = own;
  const { rows } = await invarianceRows(first.path, first.report);
  const found = moveDiagnostics(rows);
  return conditions.flatMap(({ name, without }, i): PaperRow[] => {
    const one = found.find((diagnostics) => diagnostics.without === without);
    if (one === undefined) return [];
    const fact = (id: string, value: number, column: Pick<Column, 'digits' | 'factor'>): PaperCell =>
      cellOf(first, {
        ...{ head: '', metric: '', ...column },
        find: () => ({ id: `invariance.spatial.reposition.${id}`, value, n: one.n }),
      });
    return [
      {
        labels: [...(isNamed ? [i === 0 ? first.dataset : ''] : []), name],
        cells: [
          fact('retained', one.retained, { digits: 0, factor: 100 }),
          fact('backgroundChange', one.background, { digits: 2, factor: 1000 }),
          fact('seamRatio', one.seam, { digits: 2 }),
          ...evaluators.map((evaluator) =>
            cellOf(
              own.find((entry) => entry.evaluator === evaluator),
              {
                ...{ head: evaluator, metric: 'invariance.spatial.reposition.br-tl.median', ...percent },
                ...(without === undefined ? {} : { slice: { without } }),
              },
            ),
          ),
        ],
        ruled: i === 0,
      },
    ];
  });
}
