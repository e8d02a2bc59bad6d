/*
 * Writes a folder of reports as a board (a table of evaluators × probes): a static page, or files in mteb's form.
 */
import { basename, join } from 'node:path';
import { inputError, throwIfCancelled } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { metricNames } from '../../probe/metricNames';
import { betterOf } from '../../probe/view';
import { viewFor } from '../../probe/views';
import { html } from '../export/html';
import { makeFolder } from '../../base/files/cannotWrite';
import { writeWhole } from '../output';
import type { ImageSource } from '../imageSource';
import { type Entry, inOrder, readEntries } from '../paper/entry';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';
import { basisOf, isInScoreUnits } from '../scale';
import { type Board, type BoardCell, type BoardColumn, notesOf } from './cells';
import { type Chosen, reportNames } from './chosen';
import { boardPage } from './page';
import { mtebFiles } from './mteb';
import { relativeId } from '../../protocol/parts/spreads';

export const boardForms = ['html', 'mteb'] as const;
export type BoardForm = (typeof boardForms)[number];

export interface BoardRequest {
  /** The default is all forms. */
  to?: readonly BoardForm[];
  signal?: AbortSignal;
  images?: ImageSource;
}

/** Reads the chosen reports, or those of a folder, which must have one report of each cell. */
export async function readBoard(from: string | Chosen, signal?: AbortSignal): Promise<Board> {
  const isFolder = typeof from === 'string';
  const paths = isFolder ? (await reportNames(from)).map((name) => join(from, name)) : from.paths;
  const all = await readEntries(paths, signal);
  const entries = all.filter(({ report }) => report.probe !== 'benchmark');
  if (entries.length === 0)
    throw inputError(say('board.onlyBenchmarks'), say('board.exportBenchmarks'), isFolder ? from : undefined);
  const columns = columnsOf(entries);
  const rows = inOrder(entries, ({ evaluator }) => evaluator).map((evaluator) => {
    const own = entries.filter((entry) => entry.evaluator === evaluator);
    return {
      evaluator,
      kind: own[0].report.evaluator.kind,
      cells: columns.map((column) => cellOf(own, column)),
    };
  });
  const notes = notesOf(rows, all.length - entries.length, isFolder ? [] : from.notes);
  return { columns, rows, entries, notes };
}

/** Writes the board of a folder's reports, or of the chosen ones, into `out`. Returns the files' paths. */
export async function writeBoard(
  from: string | Chosen,
  out: string,
  { to = boardForms, signal, images }: BoardRequest = {},
): Promise<string[]> {
  const board = await readBoard(from, signal);
  const { entries } = board;
  const pages = pageNames(entries);
  await makeFolder(out);
  const written: string[] = [];
  const write = async (name: string, text: string) => {
    throwIfCancelled(signal);
    const path = join(out, name);
    await makeFolder(join(path, '..'));
    await writeWhole(path, text);
    written.push(path);
  };
  if (to.includes('html')) await write('index.html', boardPage(board, pages));
  if (to.includes('mteb')) for (const [name, text] of mtebFiles(entries)) await write(name, text);
  if (to.includes('html'))
    for (const entry of entries) {
      const leftOut = new LeftOutRows();
      const rowsOf = () => readRows(entry.path, entry.report, leftOut);
      await write(pages.get(entry)!, await html(entry.path, entry.report, rowsOf, leftOut, { images }));
    }
  return written;
}

/** The path of each report's page. Reports of several folders may have one name. */
function pageNames(entries: readonly Entry[]): Map<Entry, string> {
  const taken = new Map<string, Entry>();
  for (const entry of entries) {
    const stem = `reports/${basename(entry.path).replace(/\.report\.json$/, '')}`;
    let name = `${stem}.html`;
    for (let more = 2; taken.has(name); more++) name = `${stem}.${more}.html`;
    taken.set(name, entry);
  }
  return new Map(Array.from(taken, ([name, entry]) => [entry, name]));
}

/** One column per probe, dataset and leading metric: that of the headline, or else of the first card. */
function columnsOf(entries: readonly Entry[]): BoardColumn[] {
  const columns = new Map<string, BoardColumn>();
  for (const { report, dataset } of entries) {
    const view = viewFor(report.probe);
    const basis = basisOf(
      entries.flatMap((other) =>
        other.report.probe === report.probe && other.dataset === dataset ? [other.report] : [],
      ),
    );
    const whole = report.metrics.filter((metric) => metric.slice === undefined && metric.value !== null);
    const led = (view.leading ?? []).flatMap(
      ({ metric }) => whole.find(({ id, moot }) => metric.test(id) && moot !== true) ?? [],
    );
    const cards = view.cards(whole);
    const [first] = [...led.map(({ id }) => id), ...cards.map(({ metric }) => metric)];
    if (first === undefined) continue;
    const inUnits = isInScoreUnits(report.probe, first);
    const own = inUnits ? first : view.percent?.(first);
    const metric = own !== undefined && basis.kind === 'relative' ? relativeId(own) : first;
    const key = JSON.stringify([report.probe, dataset, metric]);
    if (columns.has(key)) continue;
    const card = cards.find(({ metric }) => metric === first);
    const names: Words[] =
      card === undefined
        ? [metricNames(view, report.metrics)(first)]
        : [...(card.group === undefined ? [] : [card.group]), card.title];
    if (metric !== first) names.push(say('board.inSpreads'));
    // Values in different units have no best one.
    const better = inUnits && basis.kind === 'none' ? undefined : betterOf(view, first);
    columns.set(key, { probe: report.probe, title: view.title, dataset, metric, names, better });
  }
  return [...columns.values()];
}

function cellOf(own: readonly Entry[], column: BoardColumn): BoardCell {
  const entry = own.find(
    ({ report, dataset }) => report.probe === column.probe && dataset === column.dataset,
  );
  if (entry === undefined) return { missing: say('board.noReport') };
  const metric = entry.report.metrics.find(({ id, slice }) => id === column.metric && slice === undefined);
  if (metric === undefined) return { missing: say('board.metricAbsent') };
  const { value, note } = metric;
  if (value === null) return { missing: note ?? say('board.metricWithoutValue') };
  return { metric: { ...metric, value }, entry };
}
