import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowsSeal } from '../../../src/report/rowChecks';
import { type Report } from '../../../src/report/report';
import { reportSchema } from '../../../src/report/reportShape';

/** A small valid report with these changes. */
export function reportOf(changes: Partial<Report> = {}): Report {
  return {
    schema: reportSchema,
    probe: 'visla',
    dataset: {
      path: 'triplets.tsv',
      sha256: 'aa',
      format: 'visla-tsv',
      examples: 3,
      skipped: 0,
      leftOut: [],
    },
    evaluator: {
      id: 'tiny',
      name: 'Tiny',
      kind: 'text-encoder',
      sha256: 'bb',
      scores: ['text-text'],
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix: '',
      notes: [],
    },
    options: {},
    seed: 42,
    claims: [],
    metrics: [],
    rows: 'visla.tiny.rows.jsonl',
    rowCount: 3,
    rowsSha256: 'cc',
    warnings: [],
    versions: { captious: '0.1.0' },
    ...changes,
  };
}

/** The hash and the number of rows that a report records for a rows file with this text. */
export function sealOfText(text: string | Uint8Array): RowsSeal {
  return {
    rowsSha256: createHash('sha256').update(text).digest('hex'),
    rowCount: text
      .toString()
      .split(/\r?\n|\r/)
      .filter((line) => line !== '').length,
  };
}

export async function sealOf(rows: string): Promise<RowsSeal> {
  return sealOfText(await readFile(rows));
}

export async function writeReport(folder: string, report: Report, rows: string): Promise<string> {
  const path = join(folder, report.rows.replace(/rows\.jsonl$/, 'report.json'));
  await writeFile(join(folder, report.rows), rows);
  await writeFile(path, JSON.stringify({ ...report, ...sealOfText(rows) }));
  return path;
}
