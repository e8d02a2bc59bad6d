import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { untilCancelled, usageError } from '../../base/errors';
import { makeFolder } from '../../base/files/cannotWrite';
import { say } from '../../base/say';
import type { ImageSource } from '../imageSource';
import { writePieces, writeWhole } from '../output';
import { readReport, type Report } from '../report';
import type { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';
import { endingOf, type TableForm, tableWriters } from './forms';
import { columnsOfAll, reportNote, type RowsOf, rowsTable } from './rowsTable';
import { withoutFolders } from '../export/withoutFolders';

export interface ResultsFolder {
  form: TableForm;
  /** A new or empty folder. */
  out: string;
  leftOut: readonly LeftOutRows[];
  images?: ImageSource | undefined;
  signal: AbortSignal;
}

/**
 * Writes the rows of reports into a folder that the library `datasets` loads: a subfolder for each probe, because all
 * files of one must have the same columns. File names are numbers, so that no name of an evaluator is taken for a split.
 */
export async function writeResultsFolder(
  paths: readonly string[],
  { form, out, leftOut, images, signal }: ResultsFolder,
): Promise<string[]> {
  const probes = new Map<string, RowsOf[]>();
  for (const [i, path] of paths.entries()) {
    const report = await readReport(path);
    const imageOf =
      images && ((row: Parameters<NonNullable<RowsOf['imageOf']>>[0]) => images.file({ path, report, row }));
    const of = { report, rows: () => readRows(path, report, leftOut[i]), imageOf };
    probes.set(report.probe, [...(probes.get(report.probe) ?? []), of]);
  }
  await makeFolder(out);
  if ((await readdir(out)).length > 0)
    throw usageError(say('audit.outFolderNotEmpty'), say('export.nameNewFolder'), out);
  const written: string[] = [];
  const lines: string[] = [];
  for (const [probe, reports] of probes) {
    await mkdir(join(out, probe));
    const columns = await columnsOfAll(reports);
    for (const [i, of] of reports.entries()) {
      const file = `${probe}/rows-${five(i)}-of-${five(reports.length)}.${endingOf(form)}`;
      const names = namesOf(of.report);
      const pieces = tableWriters[form](rowsTable(of, columns, reportNote(of.report), names));
      await writePieces(join(out, file), untilCancelled(pieces, signal));
      written.push(join(out, file));
      lines.push(`| ${[file, probe, names.evaluator, names.dataset].join(' | ')} |`);
    }
  }
  const card = join(out, 'README.md');
  await writeWhole(card, cardOf([...probes.keys()], form, lines));
  return [...written, card];
}

/** The columns that tell the rows of several reports apart. */
function namesOf(report: Report): { evaluator: string; dataset: string } {
  const { evaluator, dataset } = withoutFolders(report);
  return { evaluator: evaluator.id, dataset: basename(dataset.path) };
}

function cardOf(probes: readonly string[], form: TableForm, lines: readonly string[]): string {
  return [
    '---',
    'configs:',
    ...probes.flatMap((probe) => [`- config_name: ${probe}`, `  data_files: ${probe}/*.${endingOf(form)}`]),
    '---',
    '',
    '# Rows of reports by Captious',
    '',
    '| file | probe | evaluator | dataset |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function five(number: number): string {
  return String(number).padStart(5, '0');
}
