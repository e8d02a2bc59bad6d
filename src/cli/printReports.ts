import { english } from '../base/english';
import { say } from '../base/say';
import { shortNames } from '../base/text/shortNames';
import type { Metric } from '../probe/metric';
import { lostWords } from '../probe/refused/lost';
import {
  countOf,
  interval,
  markedName,
  measuredOf,
  metricName,
  metricNameWithKind,
  partsWords,
  seedsWords,
  valueOf,
} from '../report/figures';
import type { Report } from '../report/report';
import { metricTitles } from '../report/titles';
import { print, table } from './terminal';
import type { WrittenReport } from '../audit/output/writtenReport';

/** Prints reports, then the evaluators of each probe side by side, then the notes, each once. */
export function printReports(written: readonly WrittenReport[], withSlices: boolean): void {
  for (const report of written) printReport(report, withSlices);
  const reports = written.map(({ report }) => report);
  for (const probe of new Set(reports.map((report) => report.probe))) {
    const own = reports.filter((report) => report.probe === probe);
    if (own.length > 1) print(`\n${probe}, evaluators side by side\n\n${sideBySide(own, withSlices)}`);
  }
  if (written.length > 1) print('');
  for (const note of notesOf(reports)) print(note);
  for (const { path } of written) print(`report: ${path}`);
}

function printReport({ report }: WrittenReport, withSlices: boolean): void {
  const { dataset, evaluator } = report;
  print(`\n${report.probe} · ${english(markedName(evaluator))} · ${dataset.path}`);
  const limit = report.limit === undefined ? '' : `, only the first ${report.limit} read`;
  const lost = dataset.lost === undefined ? '' : `, ${english(lostWords(dataset.lost))}`;
  print(
    `${english(say('base.countOfExamples', dataset.examples))} audited, ${dataset.skipped} left out${lost}${limit} · ${english(seedsWords(report))}`,
  );
  const measured = english(measuredOf(dataset, report.metrics));
  print(measured === '' ? '' : `${measured}\n`);
  for (const { text: sentence } of report.claims) print(`  ${english(sentence)}`);
  if (report.claims.length > 0) print('');
  const shown = shownOf(report, withSlices);
  const hasChance = shown.some(({ chance }) => chance !== undefined);
  const hasDraws = shown.some(({ draws }) => draws !== undefined);
  const rows = shown.map((metric) => [
    metricNameWithKind(metric),
    valueOf(metric),
    interval(metric),
    ...(hasDraws ? [english(partsWords(metric))] : []),
    english(countOf(metric, dataset.cluster)),
    metric.ties === undefined ? '' : String(metric.ties),
    ...(hasChance ? [metric.chance?.toFixed(4) ?? ''] : []),
  ]);
  const more = [hasDraws ? ['of which'] : [], hasChance ? ['chance'] : []];
  const header = ['metric', 'value', '95 % interval', ...more[0], 'n', 'ties', ...more[1]];
  print(withNames(table(header, rows), report.probe, shown));
  const hidden = report.metrics.length - shown.length;
  if (hidden > 0) print(`${hidden} more metrics by slice are in the report. Print them with --slices.`);
  for (const { reason, count } of dataset.leftOut) print(`left out, ${count}: ${english(reason)}`);
}

function shownOf({ metrics }: Report, withSlices: boolean): Metric[] {
  return metrics.filter((metric) => withSlices || metric.slice === undefined);
}

/** Adds the displayed name of each metric at the end of its line, where a narrow terminal breaks it. */
function withNames(lines: string, probe: string, metrics: readonly Metric[]): string {
  const titleOf = metricTitles(probe, metrics);
  const [head, rule, ...rest] = lines.split('\n');
  const names = metrics.map((metric) => (titleOf(metric) === metricName(metric) ? '' : titleOf(metric)));
  if (names.every((name) => name === '')) return lines;
  return [
    `${head}  name`,
    `${rule}  ────`,
    ...rest.map((line, i) => (names[i] === '' ? line : `${line}  ${names[i]}`)),
  ].join('\n');
}

/** The longest name of a column, in characters. */
const longestName = 24;

/** One probe's metrics, with a column for each evaluator. A cell has the value and its interval. */
export function sideBySide(reports: readonly Report[], withSlices: boolean): string {
  const keyOf = metricNameWithKind;
  const all = new Map(
    reports.flatMap((report) => shownOf(report, withSlices)).map((metric) => [keyOf(metric), metric]),
  );
  const cells = reports.map(
    (report) =>
      new Map(
        report.metrics.map((metric) => [
          keyOf(metric),
          [valueOf(metric), interval(metric)].join(' ').trimEnd(),
        ]),
      ),
  );
  const names = shortNames(
    reports.map(({ evaluator }) => english(markedName(evaluator))),
    longestName,
  );
  const rows = [...all.keys()].map((key) => [key, ...cells.map((own) => own.get(key) ?? '')]);
  return withNames(table(['metric', ...names], rows), reports[0].probe, [...all.values()]);
}

/** The notes of all reports, each once. A note that is not of all reports, or evaluators, says of which it is. */
export function notesOf(reports: readonly Report[]): string[] {
  const warnings = grouped(reports, ({ warnings: own }) => own.map((text) => english(text)));
  const notes = grouped(reports, ({ evaluator }) => evaluator.notes.map((text) => english(text)));
  const names = (own: readonly Report[]) => [...new Set(own.map(({ evaluator }) => evaluator.name))];
  const line = (kind: string, text: string, of: readonly string[], isAll: boolean): string =>
    isAll ? `${kind}: ${text}` : `${kind} (${of.join(', ')}): ${text}`;
  return [
    ...[...warnings].map(([text, own]) =>
      line('note', text, whose(own, reports), own.length === reports.length),
    ),
    ...[...notes].map(([text, own]) =>
      line('evaluator', text, names(own), names(own).length === names(reports).length),
    ),
  ];
}

/** The reports of each text. */
function grouped(
  reports: readonly Report[],
  textsOf: (report: Report) => readonly string[],
): Map<string, Report[]> {
  const found = new Map<string, Report[]>();
  for (const report of reports)
    for (const text of new Set(textsOf(report))) found.set(text, [...(found.get(text) ?? []), report]);
  return found;
}

/** Names reports: by their probe alone if they are all of the probe, or else with their evaluators. */
function whose(own: readonly Report[], reports: readonly Report[]): string[] {
  return [...new Set(own.map(({ probe }) => probe))].flatMap((probe) => {
    const of = (all: readonly Report[]) => all.filter((report) => report.probe === probe);
    return of(own).length === of(reports).length
      ? [probe]
      : of(own).map(({ evaluator }) => `${probe} · ${evaluator.name}`);
  });
}
