import { once } from 'node:events';
import { statSync } from 'node:fs';
import {
  exportForms,
  exportReport,
  exportTogether,
  severalForms,
  togetherForms,
} from '../../../report/export/export';
import { isTableForm, type TableForm, tableForms } from '../../../report/table/forms';
import { writeResultsFolder } from '../../../report/table/resultsFolder';
import { LeftOutRows } from '../../../report/rowChecks';
import { judgedParts } from '../../../service/judging/export';
import { writePieces } from '../../../report/output';
import { CaptiousError, throwIfCancelled, untilCancelled } from '../../../base/errors';
import type { ImageSource } from '../../../report/imageSource';
import {
  type Call,
  type Command,
  needed,
  onePositional,
  requireOther,
  rowsBeside,
  text,
} from '../../arguments';
import { shownImages } from '../../options';
import { withImages } from '../../shownImages';
import { log, logLeftOut, printJson, printPiece } from '../../terminal';

export const exportCommand: Command = {
  name: 'export',
  summary: 'write a report or its rows in another format',
  usage: [
    `export REPORT --to ${exportForms.join('|')} [--out FILE]`,
    `export REPORT REPORT… --to ${togetherForms.join('|')} [--out FILE]`,
    `export REPORT… --to ${tableForms.join('|')} --out DIR`,
  ],
  operands: {
    REPORT:
      'a report file. Several reports of "captious benchmark" are one page, and the rows of several reports are a folder',
  },
  options: {
    to: {
      value: 'FORMAT',
      describe:
        "csv, jsonl, parquet, arrow and webdataset contain the rows, md the metrics, html both, and junit and sarif the failures. lgip contains the variants with the field names of LGIP's paper. every-eval-ever contains the metrics whose direction is known",
    },
    images: {
      ...shownImages,
      describe: `with html: ${shownImages.describe}. With parquet, arrow and webdataset: the column "image" is the image file instead of its name`,
    },
    out: {
      value: 'FILE',
      describe:
        'where to write (default: standard output). With parquet, arrow and webdataset, a new folder (DIR/ for one report) that load_dataset of the library datasets reads',
    },
    json: { describe: 'with --out: print the result as one JSON value' },
  },
  examples: [
    'export reports/visla.starter.report.json --to csv --out rows.csv',
    'export reports/benchmark.*.report.json --to html --out benchmark.html',
    'export reports/lgip.starter.report.json reports/lgip.clipscore_starter.report.json --to parquet --out results',
  ],

  run: (call) => withImages(call.values, (images) => write(call, images)),
};

async function write(call: Call, images: ImageSource | undefined): Promise<number> {
  const folder = folderFor(call);
  if (folder !== undefined) return intoFolder(call, folder, images);
  if (call.positionals.length > 1) return together(call);
  const path = onePositional(call, 'export', 'A report');
  const form = needed(call.values, 'to', `Choose a format: ${exportForms.join(', ')}.`);
  const leftOut = new LeftOutRows();
  // An unknown format is an error before the report is read.
  const judged = exportForms.includes(form) ? await judgedParts(path, call.signal) : undefined;
  const parts = { images, judged };
  const out = text(call.values, 'out');
  if (out === undefined) {
    if (call.values.json) throw jsonNeedsOut();
    for await (const piece of exportReport(path, form, leftOut, parts)) {
      throwIfCancelled(call.signal);
      if (!printPiece(piece)) await once(process.stdout, 'drain');
    }
    logLeftOut(path, leftOut);
    return 0;
  }
  requireOther(out, [path, rowsBeside(path)]);
  const pieces = untilCancelled(exportReport(path, form, leftOut, parts), call.signal);
  const sha256 = await writePieces(out, pieces);
  logLeftOut(path, leftOut);
  if (call.values.json) printJson({ file: out, form, sha256 });
  else log(`wrote ${out}`);
  return 0;
}

/** The form of the rows that go into a folder: those of several reports, or of one if --out names a folder. */
function folderFor({ positionals, values }: Call): TableForm | undefined {
  const [form, out] = [text(values, 'to'), text(values, 'out')];
  if (form === undefined || !isTableForm(form) || positionals.length === 0) return undefined;
  const isFolder =
    out !== undefined && (/[\\/]$/.test(out) || statSync(out, { throwIfNoEntry: false })?.isDirectory());
  return positionals.length > 1 || isFolder === true ? form : undefined;
}

async function intoFolder(
  { positionals, values, signal }: Call,
  form: TableForm,
  images: ImageSource | undefined,
): Promise<number> {
  const out = needed(values, 'out', 'Add --out DIR, because the rows of several reports are a folder.');
  const leftOut = positionals.map(() => new LeftOutRows());
  const files = await writeResultsFolder(positionals, { form, out, leftOut, images, signal });
  for (const [i, path] of positionals.entries()) logLeftOut(path, leftOut[i]);
  if (values.json === true) printJson({ folder: out, form, files });
  else log(`wrote ${files.length} files into ${out}`);
  return 0;
}

/** One page about several reports. */
async function together({ positionals, values }: Call): Promise<number> {
  const form = needed(values, 'to', `Choose a format: ${severalForms.join(', ')}.`);
  const out = text(values, 'out');
  if (out === undefined && values.json === true) throw jsonNeedsOut();
  const leftOut = positionals.map(() => new LeftOutRows());
  const content = await exportTogether(positionals, form, leftOut);
  for (const [i, path] of positionals.entries()) logLeftOut(path, leftOut[i]);
  if (out === undefined) {
    if (!printPiece(content)) await once(process.stdout, 'drain');
    return 0;
  }
  requireOther(
    out,
    positionals.flatMap((path) => [path, rowsBeside(path)]),
  );
  const sha256 = await writePieces(out, [content]);
  if (values.json === true) printJson({ file: out, form, sha256 });
  else log(`wrote ${out}`);
  return 0;
}

function jsonNeedsOut(): CaptiousError {
  return new CaptiousError(
    'usage',
    '--json needs --out, because standard output cannot contain both the JSON and the export.',
  );
}
