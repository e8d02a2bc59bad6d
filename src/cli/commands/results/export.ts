import { once } from 'node:events';
import { exportForms, exportReport, exportTogether, togetherForms } from '../../../report/export/export';
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
  ],
  operands: { REPORT: 'a report file. Several reports of "captious benchmark" are one page' },
  options: {
    to: {
      value: 'FORMAT',
      describe:
        "csv, jsonl and parquet contain the rows, md the metrics, html both, and junit and sarif the failures. lgip contains the variants with the field names of LGIP's paper. every-eval-ever contains the metrics whose direction is known",
    },
    images: { ...shownImages, describe: `with html: ${shownImages.describe}` },
    out: { value: 'FILE', describe: 'where to write (default: standard output)' },
    json: { describe: 'with --out: print the result as one JSON value' },
  },
  examples: [
    'export reports/visla.starter.report.json --to csv --out rows.csv',
    'export reports/benchmark.*.report.json --to html --out benchmark.html',
  ],

  run: (call) => withImages(call.values, (images) => write(call, images)),
};

async function write(call: Call, pictures: ImageSource | undefined): Promise<number> {
  if (call.positionals.length > 1) return together(call);
  const path = onePositional(call, 'export', 'A report');
  const form = needed(call.values, 'to', `Choose a format: ${exportForms.join(', ')}.`);
  const leftOut = new LeftOutRows();
  // An unknown format is an error before the report is read.
  const judged = exportForms.includes(form) ? await judgedParts(path, call.signal) : undefined;
  const parts = { pictures, judged };
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

/** One page about several reports. */
async function together({ positionals, values }: Call): Promise<number> {
  const form = needed(values, 'to', `Choose a format: ${togetherForms.join(', ')}.`);
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
