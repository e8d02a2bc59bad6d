import { createReadStream } from 'node:fs';
import { CaptiousError } from '../../base/errors';
import { readReport, type Report } from '../report';
import { readRows, rowsPath } from '../rows';
import { csv } from './csv';
import { markdown } from './markdown';

type Writer = (report: Report, rows: string) => AsyncIterable<string>;

/** Every form a report can leave in: adding one adds its line here. */
const writers = {
  csv: (_report, rows) => csv(() => readRows(rows)),
  jsonl: (_report, rows) => createReadStream(rows, { encoding: 'utf8' }) as AsyncIterable<string>,
  md: async function* (report) {
    yield markdown(report);
  },
} satisfies Record<string, Writer>;

export type ExportForm = keyof typeof writers;

export const exportForms = Object.keys(writers) as ExportForm[];

export function parseExportForm(text: string): ExportForm {
  const form = exportForms.find((candidate) => candidate === text);
  if (form !== undefined) return form;
  throw new CaptiousError('usage', `A report cannot be exported to "${text}".`, {
    remedy: `It can be exported to: ${exportForms.join(', ')}.`,
  });
}

export async function* exportReport(path: string, form: ExportForm): AsyncGenerator<string> {
  const report = await readReport(path);
  yield* writers[form](report, rowsPath(path, report));
}
