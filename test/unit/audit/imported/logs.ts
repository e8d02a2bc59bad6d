import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importLog, type ImportRequest } from '../../../../src/audit/imported/run';
import type { ImportedRow } from '../../../../src/probe/imported/row';
import { type PairOfReports, pairUpReports } from '../../../../src/report/lineUp';
import { readReport, type Report } from '../../../../src/report/report';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { readRows } from '../../../../src/report/rows';
import { scratchFolder } from '../../dataset/support';

const logs = resolve(__dirname, '../../../fixtures/logs');
export const scratch = scratchFolder();

/** A log in test/fixtures/logs: a file, or the only file with this ending in a folder. */
export function fixture(name: string, ending = ''): string {
  const found = ending === '' ? [] : readdirSync(join(logs, name)).filter((file) => file.endsWith(ending));
  return join(logs, name, ...found);
}

export interface Imported {
  path: string;
  report: Report;
  rows: ImportedRow[];
}

export async function importFrom(log: string, asked: Partial<ImportRequest> = {}): Promise<Imported> {
  const { signal } = new AbortController();
  const out = join(scratch.path, 'reports');
  const { path } = await importLog({ log, out, home: join(scratch.path, 'home'), signal, ...asked });
  const report = await readReport(path);
  const rows: ImportedRow[] = [];
  for await (const row of readRows(path, report, new LeftOutRows())) rows.push(row as ImportedRow);
  return { path, report, rows };
}

/** The paired tests of two reports, by metric. */
export async function testsOf(first: Imported, second: Imported): Promise<Record<string, PairOfReports>> {
  const both = [first, second];
  const pairs = await pairUpReports(
    both.map(({ report }) => report),
    both.map(({ path }) => path),
    both.map(() => new LeftOutRows()),
  );
  return Object.fromEntries(pairs.map((pair) => [pair.metric, pair]));
}
