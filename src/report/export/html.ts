import { stat } from 'node:fs/promises';
import type { Chart, Column } from '../../chart/chart';
import type { Metric, Row } from '../../probe/metric';
import { english } from '../../base/english';
import { say, together, type Words } from '../../base/say';
import {
  chanceOf,
  countOf as rowsOf,
  figure,
  interval,
  markedName,
  measuredOf,
  metricName,
  shownPath,
  usedOf,
  valueOf,
  withoutPaths,
} from '../figures';
import { metricTitles, metricWords } from '../titles';
import { headlineOf } from '../../probe/headline';
import { viewFor } from '../../probe/views';
import type { ImageSource } from '../imageSource';
import { imageCells } from './images';
import { type JudgedParts, judgmentsBody } from './judgments';
import type { LeftOutRows } from '../rowChecks';
import type { Report } from '../report';
import { faultTable, worstFaults } from './faults';
import { provenance } from './markdown';
import { htmlTable, listSection, page } from './page';
import { inEnglish, type Speech } from './speech';
import { escapeXml as e } from '../../base/xml';
import { entryOf } from '../../base/entryOf';
import { sliceNames } from '../../probe/metricNames';
import { barsOf } from '../../probe/charted';
import { reporting } from '../../probe/list';
import { drawn } from './chartMarkup';

const faultsShown = 200;
export interface PageParts {
  images?: ImageSource | undefined;
  /** The language of the page. The default is English. */
  speech?: Speech;
  /** What people judged about the variants. */
  judged?: JudgedParts | undefined;
}

/** A report and its rows, which are read twice: for the faults, then for the charts. */
export interface ShownReport {
  path: string;
  report: Report;
  rows: () => AsyncIterable<Row>;
  leftOut: LeftOutRows;
  judged?: JudgedParts | undefined;
}

/** A report as one HTML file. */
export async function html(
  path: string,
  report: Report,
  rows: () => AsyncIterable<Row>,
  leftOut: LeftOutRows,
  { judged, ...parts }: PageParts = {},
): Promise<string> {
  const body = await bodyOf({ path, report, rows, leftOut, judged }, parts);
  return page(titleOf(report), body, { language: (parts.speech ?? inEnglish).language });
}

/** The reports of a run as one HTML file, which starts with links to them. */
export async function htmlOfRun(shown: readonly ShownReport[], parts: PageParts = {}): Promise<string> {
  const speech = parts.speech ?? inEnglish;
  const [{ report: first }] = shown;
  const nameOf = ({ report: { probe, evaluator } }: ShownReport): string =>
    `${viewFor(probe).title} · ${speech.say(markedName(evaluator))}`;
  const links = shown.map((own, i) => `<li><a href="#report-${i + 1}">${e(nameOf(own))}</a></li>`);
  const sections: string[] = [];
  for (const [i, own] of shown.entries()) {
    const body = await bodyOf(own, parts, `report-${i + 1}-`);
    const title = `<h1>${e(nameOf(own))}</h1>`;
    sections.push(
      `<section id="report-${i + 1}">${title}\n${body.filter((part) => part !== '').join('\n')}</section>`,
    );
  }
  const title = shownPath(first.dataset.path);
  return page(title, [`<nav><ul>${links.join('\n')}</ul></nav>`, ...sections], { language: speech.language });
}

function titleOf({ probe, dataset }: Report): string {
  return `${viewFor(probe).title} · ${shownPath(dataset.path)}`;
}

/** The parts of a report's page below its title. `prefix` tells ids of several reports on a page apart. */
async function bodyOf(
  { path, report, rows, leftOut, judged }: ShownReport,
  { images: source, speech = inEnglish }: PageParts,
  prefix = '',
): Promise<string[]> {
  const { dataset, metrics } = report;
  const view = viewFor(report.probe);
  const faults = await worstFaults(report.probe, rows(), faultsShown);
  const charts = await chartsOf(report, rows(), speech);
  const figures = charts.filter((chart) => chart.startsWith('<figure'));
  const tables = charts.filter((chart) => !chart.startsWith('<figure'));
  const images = source && (await imageCells({ path, report }, faults.worst, source));
  const labels = { titleOf: metricWords(report.probe, metrics), cluster: dataset.cluster };
  const unread = leftOut.words(report.rows);
  const whole = metrics.filter((metric) => metric.slice === undefined);
  const sliced = metrics.filter((metric) => metric.slice !== undefined);
  const cards = new Set(view.cards(metrics).map(({ metric }) => metric));
  const leading = whole.filter(({ id }) => cards.has(id));
  const sentence = headlineOf(view, report.evaluator.name, report);
  const claims = report.claims.map(
    ({ text, rule }) => `<li>${e(speech.say(text))}<small>${e(speech.say(rule))}</small></li>`,
  );
  const made = provenance(report).map(
    ([key, value]) => `<dt>${e(speech.say(key))}</dt><dd>${e(speech.say(value))}</dd>`,
  );
  const heading = (words: Words, id?: string): string =>
    `<h2${id === undefined ? '' : ` id="${id}"`}>${e(speech.say(words))}</h2>`;
  return [
    `<p class="quiet">${e(speech.say(view.question))}</p>`,
    sentence === undefined ? '' : `<p class="claims"><strong>${e(speech.say(sentence))}</strong></p>`,
    await about(path, report, speech),
    claims.length === 0
      ? ''
      : `${heading(say('export.verdicts'))}<ul class="claims">${claims.join('\n')}</ul>`,
    `${heading(say('export.metrics'))}${metricTables(whole, leading, labels, speech)}`,
    judged === undefined
      ? ''
      : `${heading(say('export.judgments'))}${judgmentsBody(judged.judgments, speech)}`,
    figures.length === 0 ? '' : `${heading(say('export.charts'))}${figures.join('\n')}`,
    heading(say('export.failures'), `${prefix}failures`),
    `<p>${e(speech.say(countOf(faults, report)))}</p>`,
    faults.worst.length === 0 ? '' : faultTable(faults.worst, images, speech),
    tables.length === 0 ? '' : `${heading(say('export.tables'))}${tables.join('\n')}`,
    sliced.length === 0 ? '' : `${heading(say('export.slices'))}${metricTables(sliced, [], labels, speech)}`,
    listSection(
      speech.say(say('export.leftOut')),
      dataset.leftOut.map(({ reason, count }) => `${count}: ${speech.say(withoutPaths(reason))}`),
    ),
    listSection(speech.say(say('export.notes')), [
      ...report.warnings.map((warning) => speech.say(withoutPaths(warning))),
      ...(unread === undefined ? [] : [speech.say(unread)]),
    ]),
    `${heading(say('export.provenance'))}<dl>${made.join('\n')}</dl>`,
  ];
}

/** The audited dataset, the evaluator and the date. */
async function about(path: string, { dataset, evaluator, metrics }: Report, speech: Speech): Promise<string> {
  // A report has no date, because equal runs must write equal reports. The page shows the date of the file.
  const written = (await stat(path).catch(() => undefined))?.mtime;
  const used = say('base.joinedParts', usedOf(dataset), measuredOf(dataset, metrics));
  const marked = e(speech.say(markedName(evaluator)));
  const lines: [Words, string][] = [
    [say('export.dataset'), `<code>${e(shownPath(dataset.path))}</code>`],
    [say('export.evaluator'), `${marked} <span class="id">${e(shownPath(evaluator.id))}</span>`],
    ...(written === undefined
      ? []
      : [
          [
            say('export.date'),
            `<time datetime="${written.toISOString()}">${e(speech.date(written))}</time>`,
          ] as [Words, string],
        ]),
    [say('export.examples'), e(speech.say(used).trimEnd())],
  ];
  return `<dl>${lines.map(([name, value]) => `<dt>${e(speech.say(name))}</dt><dd>${value}</dd>`).join('\n')}</dl>`;
}

function countOf(
  { count, faultyRows, rowCount, worst }: Awaited<ReturnType<typeof worstFaults>>,
  { draws = 1 }: Report,
): Words {
  const counts =
    count > worst.length
      ? say('export.failuresWorstListed', count, faultyRows, rowCount, worst.length)
      : say('export.failuresAllListed', count, faultyRows, rowCount);
  return together(counts, draws === 1 ? undefined : say('export.drawsJoined', draws));
}

/** `withChance` adds a column with chance levels. */
const metricColumns = (withChance: boolean, speech: Speech): readonly Column[] => [
  { title: speech.say(say('export.metricColumn')) },
  { title: speech.say(say('export.valueColumn')), number: true },
  { title: speech.say(say('export.ci')), number: true },
  { title: '' },
  ...(withChance ? [{ title: speech.say(say('export.chanceColumn')), number: true }] : []),
  { title: 'n', number: true },
  { title: speech.say(say('export.tiesColumn')), number: true },
];

/** How the tables name metrics, and the column of the report's clusters. */
interface Labels {
  titleOf: (metric: Metric) => Words;
  cluster: string | undefined;
}

/** With more metrics, some are collapsed, because a long table would push the other sections far down. */
const mostAtOnce = 60;

/** All metrics. If there are many, the metrics of the panel's cards come first, and the others are collapsed. */
function metricTables(
  metrics: readonly Metric[],
  leading: readonly Metric[],
  labels: Labels,
  speech: Speech,
): string {
  if (metrics.length <= mostAtOnce) return metricTable(metrics, labels, speech);
  const others = metrics.filter((metric) => !leading.includes(metric));
  const first = leading.length === 0 ? '' : metricTable(leading, labels, speech);
  return `${first}<details><summary>${e(speech.say(say('editor.further', others.length)))}</summary>${metricTable(others, labels, speech)}</details>`;
}

function metricTable(metrics: readonly Metric[], { titleOf, cluster }: Labels, speech: Speech): string {
  const withChance = metrics.some(({ chance }) => chance !== undefined);
  const rows = metrics.map((metric) => [
    [
      e(speech.say(titleOf(metric))),
      ...(english(titleOf(metric)) === metricName(metric) ? [] : [`<span class="id">${e(metric.id)}</span>`]),
      ...(metric.note === undefined
        ? []
        : [`<span class="quiet">${e(speech.say(withoutPaths(metric.note)))}</span>`]),
    ].join(' '),
    speech.say(valueOf(metric)),
    speech.say(interval(metric)),
    image(metric, speech),
    ...(withChance ? [speech.say(chanceOf(metric))] : []),
    speech.say(rowsOf(metric, cluster)),
    speech.say(metric.ties?.toLocaleString('en') ?? ''),
  ]);
  return htmlTable(metricColumns(withChance, speech), rows);
}

/** Draws the value, its interval and the chance level from 0 to 1. Empty if the value is off the scale. */
function image({ value, ci, chance }: Metric, speech: Speech): string {
  if (value === null || value < 0 || value > 1) return '';
  const at = (x: number) => (Math.min(1, Math.max(0, x)) * 160 + 4).toFixed(1);
  const span = ci ? `<line class="span" x1="${at(ci[0])}" x2="${at(ci[1])}" y1="8" y2="8"/>` : '';
  const level =
    chance === undefined ? '' : `<line class="axis" x1="${at(chance)}" x2="${at(chance)}" y1="2" y2="14"/>`;
  const words =
    chance === undefined
      ? say('export.bar', figure(value))
      : say('export.barWithChance', figure(value), figure(chance));
  return `<svg viewBox="0 0 168 16" width="168" height="16" role="img" aria-label="${e(speech.say(words))}"><line class="axis" x1="4" x2="164" y1="8" y2="8"/>${level}${span}<circle class="mark" cx="${at(value)}" cy="8" r="4"/></svg>`;
}

/** The charts of a report as markup: the probe's charts, and bars of metrics by slice. */
export async function chartsOf(
  report: Report,
  rows: AsyncIterable<Row>,
  speech: Speech = inEnglish,
): Promise<string[]> {
  const probe = reporting(report.probe);
  const own = (await probe.charts?.(report, rows)) ?? [];
  return drawn([...own, ...(probe.slicesInTableOnly ? [] : sliceCharts(report))], speech);
}

function sliceCharts({ probe, metrics }: Report): Chart<Words>[] {
  const nameOf = metricTitles(probe, metrics);
  const groups = new Map<string, Metric[]>();
  for (const metric of metrics) {
    const keys = Object.keys(metric.slice ?? {});
    if (keys.length !== 1) continue;
    const key = english(
      say(
        'export.metricBySlice',
        nameOf({ ...metric, slice: undefined }),
        entryOf(sliceNames, keys[0]) ?? keys[0],
      ),
    );
    groups.set(key, [...(groups.get(key) ?? []), metric]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .map(([title, group]) => ({
      type: 'bars',
      title,
      axis: nameOf({ ...group[0], slice: undefined }),
      bars: barsOf(group, (metric) => String(Object.values(metric.slice!)[0])),
    }));
}
