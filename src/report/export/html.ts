import type { Column } from '../../chart/chart';
import type { Metric, Row } from '../../probe/metric';
import { english } from '../../base/say';
import {
  chanceOf,
  figure,
  interval,
  measuredOf,
  metricName,
  shownPath,
  valueOf,
  withoutPaths,
} from '../figures';
import { metricTitles } from '../titles';
import { viewFor } from '../../probe/views';
import type { PictureSource } from '../pictures';
import { imageCells } from './images';
import type { LeftOutRows } from '../rowChecks';
import type { Report } from '../report';
import { type PlacedFault, worstFaults } from './faults';
import { provenance } from './markdown';
import { htmlTable, listSection, page } from './page';
import { chartsOf } from './probeCharts';
import { escapeXml as e } from '../../base/xml';

const faultsShown = 200;

/** `withChance` adds a column with chance levels. */
const metricColumns = (withChance: boolean): readonly Column[] => [
  { title: 'metric' },
  { title: 'value', number: true },
  { title: '95 % interval', number: true },
  { title: '' },
  ...(withChance ? [{ title: 'chance', number: true }] : []),
  { title: 'n', number: true },
  { title: 'ties', number: true },
];

/** A report as one HTML file. The rows are read twice: for the faults, then for the charts. */
export async function html(
  path: string,
  report: Report,
  rows: () => AsyncIterable<Row>,
  leftOut: LeftOutRows,
  pictures?: PictureSource,
): Promise<string> {
  const { dataset, evaluator, metrics } = report;
  const faults = await worstFaults(report.probe, rows(), faultsShown);
  const charts = await chartsOf(report, rows());
  const images = pictures && (await imageCells({ path, report }, faults.worst, pictures));
  const titleOf = metricTitles(report.probe, metrics);
  const unread = leftOut.words(report.rows);
  const whole = metrics.filter((metric) => metric.slice === undefined);
  const sliced = metrics.filter((metric) => metric.slice !== undefined);
  const claims = report.claims.map(({ text, rule }) => `<li>${e(text)}<small>${e(rule)}</small></li>`);
  const shown = faults.count > faults.worst.length ? `; the ${faults.worst.length} worst are listed` : '';
  const made = provenance(report).map(([key, value]) => `<dt>${e(key)}</dt><dd>${e(value)}</dd>`);
  return page(`${viewFor(report.probe).title} · ${evaluator.name}`, [
    `<p>${dataset.examples} examples of <code>${e(shownPath(dataset.path))}</code> were used, ${dataset.skipped} were left out. ${measuredOf(dataset.examples, report.metrics)}</p>`,
    claims.length === 0 ? '' : `<h2>Verdicts</h2><ul class="claims">${claims.join('\n')}</ul>`,
    `<h2>Metrics</h2>${metricTable(whole, titleOf)}`,
    charts.length === 0 ? '' : `<h2>Charts</h2>${charts.join('\n')}`,
    sliced.length === 0 ? '' : `<h2>Slices</h2>${metricTable(sliced, titleOf)}`,
    `<h2 id="failures">Failures, worst first</h2><p>${faults.count} failures in ${faults.faultyRows} of ${report.rowCount} rows${shown}.</p>`,
    faults.worst.length === 0 ? '' : faultTable(faults.worst, images),
    listSection(
      'Left out',
      dataset.leftOut.map(({ reason, count }) => `${count}: ${withoutPaths(reason)}`),
    ),
    listSection('Notes', [
      ...report.warnings.map(withoutPaths),
      ...(unread === undefined ? [] : [english(unread)]),
    ]),
    `<h2>Provenance</h2><dl>${made.join('\n')}</dl>`,
  ]);
}

function metricTable(metrics: readonly Metric[], titleOf: (metric: Metric) => string): string {
  const withChance = metrics.some(({ chance }) => chance !== undefined);
  const rows = metrics.map((metric) => [
    [
      e(titleOf(metric)),
      ...[titleOf(metric) === metricName(metric) ? '' : metric.id, withoutPaths(metric.note ?? '')]
        .filter((text) => text !== '')
        .map((text) => `<span class="quiet">${e(text)}</span>`),
    ].join(''),
    valueOf(metric),
    interval(metric),
    picture(metric),
    ...(withChance ? [chanceOf(metric)] : []),
    String(metric.n),
    String(metric.ties ?? ''),
  ]);
  return htmlTable(metricColumns(withChance), rows);
}

/** Draws value, interval and chance level on a scale from 0 to 1, if the value fits. */
function picture({ value, ci, chance }: Metric): string {
  if (value === null || value < 0 || value > 1) return '';
  const at = (x: number) => (Math.min(1, Math.max(0, x)) * 160 + 4).toFixed(1);
  const span = ci ? `<line class="span" x1="${at(ci[0])}" x2="${at(ci[1])}" y1="8" y2="8"/>` : '';
  const level =
    chance === undefined ? '' : `<line class="axis" x1="${at(chance)}" x2="${at(chance)}" y1="2" y2="14"/>`;
  const words = `${figure(value)} on a scale from 0 to 1${chance === undefined ? '' : `, chance ${figure(chance)}`}`;
  return `<svg width="168" height="16" role="img" aria-label="${words}"><line class="axis" x1="4" x2="164" y1="8" y2="8"/>${level}${span}<circle class="mark" cx="${at(value)}" cy="8" r="4"/></svg>`;
}

function faultTable(faults: readonly PlacedFault[], images?: ReadonlyMap<string, string>): string {
  const columns = [
    { title: 'line', number: true },
    { title: 'image' },
    { title: 'failure' },
    { title: 'by', number: true },
  ];
  const rows = faults.map(({ message, size, row }) => [
    String(row.place ? row.place.line : row.row + 1),
    images?.get(row.image ?? '') ?? e(shownPath(row.image ?? '')),
    e(message),
    size.toFixed(4),
  ]);
  return htmlTable(columns, rows);
}
