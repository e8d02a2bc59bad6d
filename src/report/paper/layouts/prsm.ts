import { comparisons, setNames } from '../../../probe/prsm/wordings';
import { leftOut } from '../empty';
import type { Entry } from '../entry';
import { freeTable, type Layout, spans } from '../layout';
import { largest, smallest } from '../../../base/extent';
import { cellOf, type Column, type HeadCell, isNumber, type PaperRow, type PaperTable } from '../table';

interface Group {
  head: string;
  slice: Readonly<Record<string, string | number | boolean | null>>;
}

/** A group of all queries, then one group per value of the columns in the option "groups". */
function groupsOf(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Group>([['', { head: 'Overall', slice: {} }]]);
  for (const { report } of entries)
    for (const { id, slice } of report.metrics) {
      if (id.startsWith('prsm.between.')) continue;
      const own = Object.entries(slice ?? {}).filter(([key]) => key !== 'set' && key !== 'comparison');
      if (own.length !== 1) continue;
      const [[key, value]] = own;
      groups.set(JSON.stringify(own), { head: `${key}: ${value}`, slice: { [key]: value } });
    }
  return [...groups.values()];
}

function sizesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ report }) => String(report.options.k ?? '').split(',')))]
    .map((size) => size.trim())
    .filter((size) => size !== '');
}

/** Whether a list of this size has room for every image in each report. */
function holdsAll(entries: readonly Entry[], size: string): boolean {
  return entries.every(({ report }) => {
    const own = report.metrics.filter(({ id }) => id === `prsm.local@${size}`);
    return own.length > 0 && own.every(({ moot }) => moot === true);
  });
}

export const prsmLayouts: readonly Layout[] = [
  {
    id: 'prsm.table1',
    probe: 'prsm',
    mirrors: 'PRSM, Table 1: global and local stability by comparison and group',
    build(entries: readonly Entry[]): Promise<PaperTable> {
      const groups = groupsOf(entries);
      const all = sizesOf(entries);
      const sizes = all.filter((size) => !holdsAll(entries, size));
      const columns = groups.flatMap(({ head, slice }) => [
        { group: head, head: 'Spearman', metric: 'prsm.global', digits: 3, slice },
        { group: head, head: 'Listwise', metric: 'prsm.global.listwise', digits: 3, slice },
        ...sizes.map((size) => ({
          group: head,
          head: `Top ${size}`,
          metric: `prsm.local@${size}`,
          digits: 3,
          slice,
        })),
      ]);
      const found = entries.map((entry) => rowsOf(entry, columns, entries.length > 1));
      const rows = found.flatMap((one) => one.rows);
      const heads: HeadCell[][] = [
        spans(columns.map(({ group }) => group)),
        columns.map(({ head }) => ({ text: head, span: 1 })),
      ];
      const table = {
        id: 'prsm.table1',
        caption:
          'PRSM. P1: paraphrases (o: original, c1 and c2: paraphrases). P2: prefixes (p1 to p3, np: none). P3: synonyms of attributes (a1, a2, a12: both). Spearman: global stability of the ranking. Top k: shared images of the top lists.',
        ...{ heads, labels: entries.length > 1 ? 3 : 2, rows },
        notes: [
          'Spearman: ρ of the ranks of all images. Listwise: ρ of the two lists of image numbers, position by position. The paper’s values (0.02 to 0.04 beside an overlap of 0.9) resemble the latter, which falls as soon as images change places.',
          ...leftOut(
            'Comparisons',
            [...new Set(found.flatMap(({ missing }) => missing))].filter(
              (name) => !found.some(({ rows: own }) => own.some(({ labels }) => labels.at(-1) === name)),
            ),
          ),
          ...all
            .filter((size) => !sizes.includes(size))
            .map((size) => `Top ${size} is left out: it holds all images, so it is 1 for every evaluator.`),
          ...groups.flatMap(({ head }, i) => countOf(head, rows, i * (2 + sizes.length))),
        ],
      };
      return Promise.resolve(freeTable(table, entries));
    },
  },
];

/** A note on a group's number of queries. The paper states this number below the group. */
function countOf(head: string, rows: readonly PaperRow[], column: number): string[] {
  const counts = rows.flatMap(({ cells }) => {
    const cell = cells[column];
    return isNumber(cell) ? [cell.metric.n] : [];
  });
  if (counts.length === 0) return [];
  const [low, high] = [smallest(counts), largest(counts)];
  return [`${head}: ${low === high ? low : `${low} to ${high}`} queries.`];
}

/** A report's rows, and the comparisons of which it has no value. */
function rowsOf(
  entry: Entry,
  columns: readonly Column[],
  isNamed: boolean,
): { rows: PaperRow[]; missing: string[] } {
  const all = setNames.flatMap((set) =>
    comparisons[set].map((comparison) => ({
      ...{ set, comparison },
      cells: columns.map((column) =>
        cellOf(entry, { ...column, slice: { set, comparison, ...column.slice } }),
      ),
    })),
  );
  const filled = all.filter(({ cells }) => cells.some(isNumber));
  return {
    rows: filled.map(({ set, comparison, cells }, i): PaperRow => {
      const isFirst = filled[i - 1]?.set !== set;
      return {
        labels: [
          ...(isNamed ? [i === 0 ? `${entry.evaluator}, ${entry.dataset}` : ''] : []),
          isFirst ? set : '',
          comparison,
        ],
        cells,
        ruled: isFirst,
      };
    }),
    missing: all.filter((one) => !filled.includes(one)).map(({ comparison }) => comparison),
  };
}
