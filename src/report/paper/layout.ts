/* Makes tables with evaluators as rows, metrics as columns, and one block of columns per dataset. */
import { type CaptiousError, inputError } from '../../base/errors';
import { say } from '../../base/say';
import { clusterOfAll, type Entry, inOrder } from './entry';
import { withoutEmpty } from './empty';
import { footnotes } from './footnotes';
import { markBest, markNotes } from './marks';
import { withRelativeColumns } from './relative';
import {
  cellOf,
  type Column,
  type HeadCell,
  isNumber,
  noValue,
  type PaperCell,
  type PaperRow,
  type PaperTable,
  type Block,
} from './table';

export interface Layout {
  id: string;
  probe: string;
  /** The published table that this layout reproduces. */
  mirrors: string;
  build(entries: readonly Entry[]): Promise<PaperTable>;
}

interface Plan {
  id: string;
  caption: string;
  blocks: readonly Block[];
  notes?: readonly string[];
  /** The columns that make the table, and the option of an audit that fills them. */
  needs?: { columns: (column: Column) => boolean; option: string };
  /** Columns of text after the evaluator's name, such as the number of dimensions. */
  facts?: readonly Fact[];
}

/** A column of text. It is left out if no report has the fact. */
export interface Fact {
  head: string;
  of: (entry: Entry) => string | undefined;
}

interface EvaluatorLayout extends Omit<Layout, 'build'>, Omit<Plan, 'blocks'> {
  blocks: readonly Column[] | ((entries: readonly Entry[]) => Block[]);
}

/** A layout of evaluators as rows: these columns for each dataset, or blocks that depend on the reports. */
export function evaluatorLayout({ probe, mirrors, blocks, ...plan }: EvaluatorLayout): Layout {
  return {
    ...{ id: plan.id, probe, mirrors },
    build: (entries) =>
      evaluatorTable(entries, {
        ...plan,
        blocks: typeof blocks === 'function' ? blocks(entries) : datasetBlocks(entries, blocks),
      }),
  };
}

/** The maximum number of columns that are legible side by side. */
const mostColumns = 8;

/**
 * Rows are evaluators in the order of the reports. Columns without values are left out, with a footnote.
 * Datasets with equal columns are placed side by side or, if the table is too wide, one below another.
 */
export async function evaluatorTable(entries: readonly Entry[], plan: Plan): Promise<PaperTable> {
  const evaluators = inOrder(entries, ({ evaluator }) => evaluator);
  const { blocks, notes } = withRelativeColumns(plan.blocks, evaluators);
  const made = blocks.map((block) => ({
    block,
    columns: block.columns.map((column) => ({
      column,
      cells: evaluators.map((evaluator) => cellOf(block.entryOf(evaluator), column)),
    })),
  }));
  const columns = made.flatMap((one) => one.columns);
  const filled = columns.filter(({ cells }) => cells.some(isNumber));
  const { needs } = plan;
  if (!filled.some(({ column }) => needs?.columns(column) ?? true)) throw noValues(plan.id, needs?.option);
  const marks = await markBest(columns);
  const isStacked = filled.length > mostColumns && blocks.length > 1 && blocks.every(sameColumns(blocks[0]));
  const across = isStacked ? made.slice(0, 1) : made;
  const heads: HeadCell[][] = [];
  if (!isStacked && made.some(({ block }) => block.head !== ''))
    heads.push(spans(made.flatMap(({ block, columns: own }) => own.map(() => block.head))));
  const shown = across.flatMap((one) => one.columns);
  if (shown.some(({ column }) => column.group !== undefined))
    heads.push(across.flatMap(({ columns: own }) => spans(own.map(({ column }) => column.group ?? ''))));
  heads.push(shown.map(({ column }) => ({ text: column.head, span: 1 })));
  const { facts: wanted = [] } = plan;
  const facts = wanted.filter(({ of }) => entries.some((entry) => of(entry) !== undefined));
  const labelsOf = (evaluator: string): string[] => [
    evaluator,
    ...facts.map(({ of }) => of(entries.find((one) => one.evaluator === evaluator)!) ?? noValue),
  ];
  const rows = isStacked
    ? made.flatMap(({ block, columns: own }) =>
        evaluators
          .flatMap((evaluator, i) => (block.entryOf(evaluator) === undefined ? [] : [{ evaluator, i }]))
          .map(({ evaluator, i }, at): PaperRow => ({
            labels: [at === 0 ? block.head : '', ...labelsOf(evaluator)],
            cells: own.map(({ cells }) => cells[i]),
            ruled: at === 0,
          })),
      )
    : evaluators.map((evaluator, i): PaperRow => ({
        labels: labelsOf(evaluator),
        cells: columns.map(({ cells }) => cells[i]),
      }));
  const labels = (isStacked ? 2 : 1) + facts.length;
  const { table, notes: empty } = withoutEmpty({
    id: plan.id,
    caption: plan.caption,
    heads,
    labels,
    ...(facts.length === 0
      ? {}
      : { labelHeads: [...(isStacked ? ['', ''] : ['']), ...facts.map(({ head }) => head)] }),
    rows,
  });
  return {
    ...table,
    notes: [
      ...markNotes(marks, clusterOfAll(entries)),
      ...empty,
      ...factNotes(wanted, facts),
      ...notes,
      ...(plan.notes ?? []),
      ...footnotes(rows, entries),
    ],
  };
}

function factNotes(wanted: readonly Fact[], shown: readonly Fact[]): string[] {
  const missing = wanted.filter((fact) => !shown.includes(fact)).map(({ head }) => head);
  if (missing.length === 0) return [];
  return [
    `Columns left out, because reports do not have the facts (--facts gives them): ${missing.join(', ')}.`,
  ];
}

function sameColumns(first: Block): (block: Block) => boolean {
  const namesOf = ({ columns }: Block) =>
    JSON.stringify(columns.map(({ group, head, metric }) => [group, head, metric]));
  return (block) => namesOf(block) === namesOf(first);
}

/** Joins equal neighbouring texts under one heading. */
export function spans(texts: readonly string[]): HeadCell[] {
  const heads: HeadCell[] = [];
  for (const text of texts) {
    const last = heads.at(-1);
    if (last?.text === text) last.span++;
    else heads.push({ text, span: 1 });
  }
  return heads;
}

/** One block per dataset. If there is only one dataset, its heading is empty. */
export function datasetBlocks(entries: readonly Entry[], columns: readonly Column[]): Block[] {
  const datasets = inOrder(entries, ({ dataset }) => dataset);
  return datasets.map((dataset) => ({
    head: datasets.length > 1 ? dataset : '',
    columns,
    entryOf: (evaluator) => entries.find((one) => one.dataset === dataset && one.evaluator === evaluator),
  }));
}

/** A table from finished rows, such as PRSM's comparisons. */
export function freeTable(
  table: Omit<PaperTable, 'notes'> & { notes?: readonly string[] },
  entries: readonly Entry[],
): PaperTable {
  if (!table.rows.some(({ cells }: { cells: readonly PaperCell[] }) => cells.some(isNumber)))
    throw noValues(table.id);
  const { table: filled, notes } = withoutEmpty(table);
  return { ...filled, notes: [...notes, ...(table.notes ?? []), ...footnotes(table.rows, entries)] };
}

/** `option` is the option of an audit without which reports do not have the values. */
export function noValues(layout: string, option?: string): CaptiousError {
  return inputError(
    say('paper.layoutWithoutValues', layout),
    option === undefined ? say('paper.chooseLayoutOrReports') : say('paper.auditWithOption', option),
  );
}
