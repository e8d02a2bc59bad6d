import { createReadStream } from 'node:fs';
import { CaptiousError } from '../../base/errors';
import { paperEntries } from '../../probe/lgip/export';
import type { LgipRow } from '../../probe/lgip/row';
import type { Row } from '../../probe/probe';
import { readReport, type Report } from '../report';
import { readRows, rowsPath } from '../rows';
import { csv } from './csv';
import { html } from './html';
import { junit } from './junit';
import { markdown } from './markdown';
import { parquet } from './parquet';
import { sarif } from './sarif';

interface Source {
  reportPath: string;
  report: Report;
  /** Path of the rows file, and its rows: each call reads it anew. */
  path: string;
  rows: () => AsyncIterable<Row>;
}

type Writer = (source: Source) => AsyncIterable<string | Uint8Array>;

/** Every form a report can leave in: adding one adds its line here. */
const writers = {
  json: ({ reportPath }) => createReadStream(reportPath) as AsyncIterable<Uint8Array>,
  csv: ({ rows }) => csv(rows),
  jsonl: ({ path }) => createReadStream(path) as AsyncIterable<Uint8Array>,
  parquet: ({ report, rows }) => parquet(report, rows),
  async *html({ report, rows }) {
    yield await html(report, rows);
  },
  async *md({ report }) {
    yield markdown(report);
  },
  lgip: ({ report, rows }) => lgipFields(report, rows()),
  junit: ({ report, rows }) => junit(report, rows),
  sarif: ({ report, rows }) => sarif(report, rows()),
} satisfies Record<string, Writer>;

/** LGIP's perturbations in the fields its paper publishes, an entry a line, so that others can score the very same ones. */
async function* lgipFields(report: Report, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  if (report.probe !== 'lgip') {
    throw new CaptiousError(
      'usage',
      `Only a report of lgip has these fields, and this one is of ${report.probe}.`,
      {
        remedy: 'Export it to jsonl.',
      },
    );
  }
  // The report names the probe that wrote these rows.
  for await (const entry of paperEntries(rows as AsyncIterable<LgipRow>)) yield `${JSON.stringify(entry)}\n`;
}

export type ExportForm = keyof typeof writers;

export const exportForms = Object.keys(writers) as ExportForm[];

export function parseExportForm(text: string): ExportForm {
  const form = exportForms.find((candidate) => candidate === text);
  if (form !== undefined) return form;
  throw new CaptiousError('usage', `A report cannot be exported to "${text}".`, {
    remedy: `It can be exported to: ${exportForms.join(', ')}.`,
  });
}

export async function* exportReport(path: string, form: ExportForm): AsyncGenerator<string | Uint8Array> {
  const report = await readReport(path);
  const file = rowsPath(path, report);
  yield* writers[form]({ reportPath: path, report, path: file, rows: () => readRows(file) });
}
