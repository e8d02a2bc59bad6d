import { chooseFrom } from '../../base/text/nearest';
import { usageError } from '../../base/errors';
import { chunksOf } from '../../base/files/readFile';
import { say } from '../../base/say';
import { benchmark } from '../../probe/benchmark/benchmark';
import { probes } from '../../probe/generated/probes';
import type { Probe } from '../../probe/probe';
import type { Row } from '../../probe/metric';
import { readReport, type Report } from '../report';
import { LeftOutRows } from '../rowChecks';
import { joinedDraws } from '../../probe/inference/joinedDraws';
import { viewFor } from '../../probe/views';
import { readRows, rowsPath, verifyRows } from '../rows';
import { benchmarkHtml, benchmarkMarkdown } from './benchmark/page';
import type { Checked } from './benchmark/tables';
import { csv } from './csv';
import { columnsOf } from './flat';
import { everyEvalEver } from './exchange/everyEvalEver';
import { html, htmlOfRun, type PageParts, type ShownReport } from './html';
import { junit } from './junit';
import { markdown } from './markdown';
import { sarif } from './sarif';
import { inEnglish } from './speech';
import { type TableForm, tableForms, tableWriters } from '../table/forms';
import { reportNote, type RowsOf, rowsTable } from '../table/rowsTable';
import { withoutFolders } from './withoutFolders';

interface Source {
  reportPath: string;
  report: Report;
  /** The path of the rows file. Each call of `rows` reads the file again. */
  path: string;
  rows: () => AsyncIterable<Row>;
  /** The rows for people, one for each caption: those of several draws are joined. */
  captions: () => AsyncIterable<Row>;
  leftOut: LeftOutRows;
  /** The images and the language of pages, and what people judged. */
  parts: PageParts;
}

type Writer = (source: Source) => AsyncIterable<string | Uint8Array>;

/** Formats for any report. A probe may add a format with the name of the probe. */
const commonWriters: Readonly<Record<string, Writer>> = {
  async *json({ reportPath, report, parts: { judged } }) {
    const shown = withoutFolders(report);
    if (judged !== undefined) yield `${JSON.stringify({ ...shown, judgments: judged.judgments }, null, 2)}\n`;
    else if (JSON.stringify(shown) === JSON.stringify(report)) yield* chunksOf(reportPath);
    else yield `${JSON.stringify(shown, null, 2)}\n`;
  },
  csv: ({ rows, parts }) => csv(rows, parts.judged?.votesOn),
  async *jsonl({ path, report }) {
    await verifyRows(path, report);
    yield* chunksOf(path);
  },
  parquet: (source) => rowsAs('parquet', source),
  arrow: (source) => rowsAs('arrow', source),
  webdataset: (source) => rowsAs('webdataset', source),
  async *html({ reportPath, report, rows, captions, leftOut, parts }) {
    if (report.probe === benchmark.id)
      yield await benchmarkHtml([{ report, rows }], parts.speech ?? inEnglish);
    else yield await html(reportPath, report, captions, leftOut, parts);
  },
  async *md({ report, rows }) {
    yield report.probe === benchmark.id ? await benchmarkMarkdown([{ report, rows }]) : markdown(report);
  },
  async *'every-eval-ever'({ reportPath, report }) {
    yield await everyEvalEver(reportPath, withoutFolders(report));
  },
  junit: ({ report, captions }) => junit(report, captions),
  sarif: ({ report, captions }) => sarif(report, captions()),
};

async function* rowsAs(form: TableForm, source: Source): AsyncGenerator<Uint8Array> {
  const { report, rows } = source;
  yield* tableWriters[form](rowsTable(withImages(source), await columnsOf(rows()), reportNote(report)));
}

function withImages({ reportPath: path, report, rows, parts: { images } }: Source): RowsOf {
  return { report, rows, imageOf: images && ((row) => images.file({ path, report, row })) };
}

/** The probe's own format, with one entry per line. */
async function* ownEntries(probe: Probe, report: Report, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  if (report.probe !== probe.id) {
    throw usageError(say('export.wrongProbeForFormat', probe.id, report.probe), say('export.useJsonl'));
  }
  for await (const entry of probe.entries!(rows)) yield `${JSON.stringify(entry)}\n`;
}

const writers = new Map([
  ...Object.entries(commonWriters),
  ...probes
    .filter(({ entries }) => entries !== undefined)
    .map((probe): [string, Writer] => [
      probe.id,
      ({ report, captions }) => ownEntries(probe, report, captions()),
    ]),
]);

export const exportForms = [...writers.keys()];

function writerOf(form: string): Writer {
  const writer = writers.get(form);
  if (writer !== undefined) return writer;
  throw usageError(say('export.formatUnknown', form), chooseFrom(form, exportForms));
}

/** The forms of one page about several reports of benchmarks. */
export const togetherForms: readonly string[] = ['html', 'md'];

/** The forms of several reports: one page, or a folder of their rows. */
export const severalForms: readonly string[] = [...togetherForms, ...tableForms];

/** One page about several reports of benchmarks. Reports of evaluators are compared by `compare`. */
export async function exportTogether(
  paths: readonly string[],
  form: string,
  leftOut: readonly LeftOutRows[],
): Promise<string> {
  writerOf(form);
  if (!togetherForms.includes(form))
    throw usageError(say('export.notTogether', form), say('export.togetherForms', severalForms.join(', ')));
  const all: Checked[] = [];
  for (const [i, path] of paths.entries()) {
    const report = await readReport(path);
    if (report.probe !== benchmark.id)
      throw usageError(say('export.notBenchmark', report.probe), say('export.compareInstead'), path);
    all.push({ report, rows: () => readRows(path, report, leftOut[i]) });
  }
  return form === 'md' ? benchmarkMarkdown(all) : benchmarkHtml(all, inEnglish);
}

/** One HTML page about all reports of a run. */
export async function exportRun(
  paths: readonly string[],
  parts: PageParts,
  judgedOf: (path: string) => Promise<PageParts['judged']>,
): Promise<string> {
  const shown: ShownReport[] = [];
  for (const path of paths) {
    const report = await readReport(path);
    const leftOut = new LeftOutRows();
    const rows = (): AsyncIterable<Row> => readRows(path, report, leftOut);
    shown.push({ path, report, rows, leftOut, judged: await judgedOf(path) });
  }
  return htmlOfRun(shown, parts);
}

/** Exports a report in pieces. `leftOut` collects invalid lines of the rows file. `parts` are for HTML pages; judgments also for JSON and CSV. */
export async function* exportReport(
  path: string,
  form: string,
  leftOut = new LeftOutRows(),
  parts: PageParts = {},
): AsyncGenerator<string | Uint8Array> {
  const write = writerOf(form);
  const report = await readReport(path);
  const rows = (): AsyncIterable<Row> => readRows(path, report, leftOut);
  const captions = (): AsyncIterable<Row> => joinedDraws(viewFor(report.probe).rows, rows());
  yield* write({ reportPath: path, report, path: rowsPath(path, report), rows, captions, leftOut, parts });
}
