/* The board: a folder of reports as a static page of evaluators × probes, and as results in mteb's form. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { probeNamed } from '../../probe/list';
import { html } from '../export/html';
import { metricTitles } from '../figures';
import { makeFolder, writeWhole } from '../output';
import type { PictureSource } from '../pictures';
import { type Entry, inOrder, readEntries } from '../paper/entry';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';
import type { BoardCell, BoardColumn, BoardRow } from './cells';
import { boardPage } from './page';
import { mtebFiles } from './mteb';

/** Writes the board of a folder's reports into `out`; returns the paths of its files. */
export async function writeBoard(
  folder: string,
  out: string,
  { signal, pictures }: { signal?: AbortSignal; pictures?: PictureSource } = {},
): Promise<string[]> {
  const names = (await reportNames(folder)).map((name) => join(folder, name));
  const entries = await readEntries(names, signal);
  const pages = pageNames(entries);
  const columns = await columnsOf(entries);
  const rows = inOrder(entries, ({ evaluator }) => evaluator).map((evaluator): BoardRow => {
    const own = entries.filter((entry) => entry.evaluator === evaluator);
    return {
      evaluator,
      kind: own[0].report.evaluator.kind,
      cells: columns.map((column) => cellOf(own, column, pages)),
    };
  });
  const files = new Map<string, string>([['index.html', boardPage(columns, rows, entries)]]);
  for (const [name, text] of mtebFiles(entries)) files.set(name, text);
  await makeFolder(out);
  const written: string[] = [];
  const write = async (name: string, text: string) => {
    const path = join(out, name);
    await makeFolder(join(path, '..'));
    await writeWhole(path, text);
    written.push(path);
  };
  for (const [name, text] of files) await write(name, text);
  for (const entry of entries) {
    const leftOut = new LeftOutRows();
    const rowsOf = () => readRows(entry.path, entry.report, leftOut);
    await write(pages.get(entry)!, await html(entry.path, entry.report, rowsOf, leftOut, pictures));
  }
  return written;
}

async function reportNames(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    throw new CaptiousError('input', say`The folder cannot be read.`, {
      at: folder,
      remedy: say`Specify a folder with *.report.json files.`,
      cause,
    });
  }
  const reports = names.filter((name) => name.endsWith('.report.json')).sort();
  if (reports.length === 0)
    throw new CaptiousError('input', say`The folder has no reports.`, {
      at: folder,
      remedy: say`Specify a folder with *.report.json files.`,
    });
  return reports;
}

/** The file name of each report's own page. Names differ, because the reports are files of one folder. */
function pageNames(entries: readonly Entry[]): Map<Entry, string> {
  return new Map(
    entries.map((entry) => [entry, `reports/${basename(entry.path).replace(/\.report\.json$/, '')}.html`]),
  );
}

/**
 * The leading metric of each probe and dataset: the metric in the CodeLens above the file, or else that of
 * the first card.
 */
async function columnsOf(entries: readonly Entry[]): Promise<BoardColumn[]> {
  const columns = new Map<string, BoardColumn>();
  for (const { report, dataset, shares } of entries) {
    const probe = probeNamed(report.probe);
    const whole = report.metrics.filter((metric) => metric.slice === undefined && metric.value !== null);
    const led = (probe.leading ?? []).flatMap(
      ({ metric }) => whole.find(({ id, moot }) => metric.test(id) && moot !== true) ?? [],
    );
    const [first] = [...led.map(({ id }) => id), ...probe.cards(whole).map(({ metric }) => metric)];
    if (first === undefined) continue;
    const key = JSON.stringify([report.probe, dataset, first]);
    if (columns.has(key)) continue;
    let better: BoardColumn['better'];
    for (const { shares: own } of (await shares()).values())
      better ??= own.find(({ metric }) => metric === first || first.startsWith(`${metric}.`))?.better;
    const name = metricTitles(report.probe, report.metrics)({ id: first, value: null, n: 0 });
    columns.set(key, { probe: report.probe, title: probe.title, dataset, metric: first, name, better });
  }
  return [...columns.values()];
}

function cellOf(
  own: readonly Entry[],
  column: BoardColumn,
  pages: ReadonlyMap<Entry, string>,
): BoardCell | undefined {
  const entry = own.find(
    ({ report, dataset }) => report.probe === column.probe && dataset === column.dataset,
  );
  const metric = entry?.report.metrics.find(({ id, slice }) => id === column.metric && slice === undefined);
  if (entry === undefined || metric === undefined || metric.value === null) return undefined;
  return { column, metric, page: pages.get(entry)! };
}
