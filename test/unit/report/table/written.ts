/* Files that `npx tsx test/oracle/export/write.ts` keeps in test/oracle/export, and that the tests write again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePieces } from '../../../../src/report/output';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { endingOf, tableForms, tableWriters } from '../../../../src/report/table/forms';
import { writeResultsFolder } from '../../../../src/report/table/resultsFolder';
import type { ColumnKind, Table, TableCell } from '../../../../src/report/table/table';
import { reportOf, writeReport } from '../reportOf';

/** PNG files of 1 × 1 pixels. */
const images = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC',
].map((text) => new Uint8Array(Buffer.from(text, 'base64')));

export const columns: readonly (readonly [string, ColumnKind])[] = [
  ['image', 'image'],
  ['caption', 'string'],
  ['score', 'number'],
  ['right', 'boolean'],
  ['others', 'texts'],
];

export const cells: readonly (readonly TableCell[])[] = [
  [{ bytes: images[0], path: 'a/1.png' }, 'A red square.', 0.1, true, ['one', 'two, "three"']],
  [null, 'Un café à côté d’une fenêtre.', -0, false, []],
  [{ bytes: images[1], path: '长.png' }, '', 1 / 3, null, ['']],
  [{ bytes: images[1], path: '' }, null, null, true, null],
  ...Array.from({ length: 20 }, (_, i): TableCell[] => [
    i % 3 === 0 ? null : { bytes: images[i % 2], path: `${i}.png` },
    i % 4 === 0 ? null : `Caption ${i} \u{1f600}`,
    i % 5 === 0 ? null : i * 1e300,
    i % 2 === 0 ? null : i % 3 === 0,
    i % 6 === 0 ? null : Array.from({ length: i % 4 }, (__, j) => `t${j}`),
  ]),
];

export function tableOf(rows: readonly (readonly TableCell[])[] = cells): Table {
  async function* all(): AsyncGenerator<readonly TableCell[]> {
    for (const row of rows) yield await Promise.resolve(row);
  }
  return { columns: new Map(columns), rows: all(), notes: { note: 'é' }, createdBy: 'captious of a test' };
}

const distances = { p1p2: 3, p1n: 1, p2n: 4 };

function row(index: number, p1p2: number): object {
  return {
    example: String(index),
    row: index,
    image: `${index}.jpg`,
    p1: `caption ${index}`,
    p2: 'the same in other words',
    n: 'something else',
    swapped: index % 2 === 1,
    characters: distances,
    words: distances,
    t2t: { p1p2, p1n: 0.5, p2n: 0.4, right: p1p2 > 0.5, tie: false },
  };
}

/** The reports of two evaluators. Only one has a column for lost variants. */
export const results = ['clip', 'val-clip'].map((id, i) => ({
  id,
  rows: [0, 1, 2].map((n) => ({ ...row(n, (n + i + 1) / 7), ...(i === 1 && n === 2 ? { lost: 1 } : {}) })),
}));

/** Writes the table in each form, and a folder of the rows of two reports. Returns the paths of the files. */
export async function writeAll(out: string): Promise<string[]> {
  const files: string[] = [];
  for (const form of tableForms) {
    const path = join(out, `table.${endingOf(form)}`);
    await writePieces(path, tableWriters[form](tableOf()));
    files.push(path);
  }
  // The library datasets reads only shards whose samples all have the same files.
  const full = join(out, 'full.tar');
  await writePieces(full, tableWriters.webdataset(tableOf(cells.filter(([image]) => image !== null))));
  files.push(full);
  const own = await mkdtemp(join(tmpdir(), 'captious-results-'));
  try {
    const reports: string[] = [];
    for (const { id, rows } of results) {
      const report = reportOf({ evaluator: { ...reportOf().evaluator, id }, rows: `visla.${id}.rows.jsonl` });
      reports.push(await writeReport(own, report, rows.map((one) => `${JSON.stringify(one)}\n`).join('')));
    }
    const written = await writeResultsFolder(reports, {
      form: 'parquet',
      out: join(out, 'results'),
      leftOut: reports.map(() => new LeftOutRows()),
      signal: new AbortController().signal,
    });
    return [...files, ...written];
  } finally {
    await rm(own, { recursive: true });
  }
}
