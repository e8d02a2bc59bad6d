import { english } from '../base/english';
import { findSaid, inARow, say, withValues, type Words } from '../base/say';
import { shortNames } from '../base/text/shortNames';
import { headlineOf } from '../probe/headline';
import { metricNames } from '../probe/metricNames';
import { lostWords } from '../probe/refused/lost';
import { withheldIn } from '../probe/inference/withheld';
import type { PanelMetric, ProbeTitle, ReportView } from '../protocol/panel';
import { partsOfInterval, seedsWords } from '../report/figures';
import type { Report } from '../report/report';
import { viewFor } from '../probe/views';
import type { RowView } from '../probe/view';
import { comparing, type RowAsk, type RowRequest, type Selection } from '../protocol/rows';

/** The shown length of a value, enough to distinguish two hashes. */
const mostLetters = 24;

export function viewOf(key: string, report: Report, titles: readonly ProbeTitle[]): ReportView {
  const probe = titles.find(({ id }) => id === report.probe);
  const view = viewFor(report.probe);
  const { cards, columns, rows } = view;
  const nameOf = metricNames(view, report.metrics);
  // Without a verdict, the panel has the whole claim in place of a headline.
  const headline =
    withheldIn(report.claims) === undefined ? headlineOf(view, report.evaluator.name, report) : undefined;
  return {
    key,
    probe: report.probe,
    title: probe?.title ?? view.title,
    question: probe?.question ?? '',
    evaluator: report.evaluator.name,
    ...(report.evaluator.draft === true ? { draft: report.evaluator.precision } : {}),
    size: sizeOf(report, view.madeFor),
    examples: report.dataset.examples,
    skipped: report.dataset.skipped,
    ...(report.dataset.cluster === undefined ? {} : { cluster: report.dataset.cluster }),
    ...(report.dataset.lost && { lost: lostWords(report.dataset.lost) }),
    leftOut: report.dataset.leftOut.map(({ reason, count, lines }) => ({
      ...{ reason, count },
      lines: lines.map(String),
    })),
    ...(headline && { headline }),
    claims: report.claims.map(({ text, rule }) => ({ text, rule })),
    metrics: report.metrics.map((metric) => named(metricOf(metric), nameOf(metric.id))),
    cards: cards(report.metrics),
    ...(view.metricCharts && { charts: view.metricCharts(report.metrics) }),
    ...(view.legend && { legend: view.legend }),
    columns: {
      ...{ score: say('probe.secondScore'), ...columns },
      ...{ delta: rows.delta.head, about: aboutChanges(rows.delta), right: signOf(rows.delta) },
    },
    ...(view.isUnscored === true ? { unscored: true } : {}),
    warnings: report.warnings,
    made: madeOf(report),
  };
}

/** Formats differ in how many captions an example has, so datasets of captions count these. Each draw has a row of each. */
function sizeOf({ dataset, rowCount, draws = 1 }: Report, madeFor: readonly string[]): Words {
  const captions = rowCount / draws;
  const count =
    madeFor.includes('captions') && Number.isInteger(captions)
      ? say('base.countOfCaptions', captions.toLocaleString('en'))
      : say('base.countOfExamples', dataset.examples.toLocaleString('en'));
  return inARow([
    count,
    ...(dataset.images ? [say('base.countOfImages', dataset.images.count.toLocaleString('en'))] : []),
  ]);
}

/** Of a change that should be negative, or of the lead of a right answer. Other changes have no sign of right ones. */
function signOf({ head, lower }: RowView['delta']): string | undefined {
  if (lower) return lower === 'tied' ? '≤' : '<';
  return findSaid(head, 'choice.lead') && '>';
}

function aboutChanges({ title, wanted }: RowView['delta']): Words {
  return wanted === undefined ? title : inARow([title, wanted], '. ');
}

function named(metric: PanelMetric, name: Words): PanelMetric {
  return name === metric.id ? metric : { ...metric, name };
}

export function metricOf(metric: Report['metrics'][number]): PanelMetric {
  const { id, value, n, images, ties, ci, slice, moot, note, kind } = metric;
  const parts = partsOfInterval(metric);
  return {
    id,
    value,
    n,
    ...(images === undefined ? {} : { images }),
    ...(ties === undefined ? {} : { ties }),
    ...(ci === undefined ? {} : { ci: [ci[0], ci[1]] }),
    ...(parts && { parts }),
    ...(slice && { slice: { ...slice } }),
    ...(moot === true ? { moot } : {}),
    ...(note === undefined ? {} : { note }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function madeOf(report: Report): [string, Words][] {
  const { dataset, evaluator, options, seed, draws, defaultDraws, limit, versions } = report;
  return [
    ['dataset', `${dataset.path.split(/[\\/]/).at(-1)} (${dataset.format})`],
    ['dataset SHA-256', dataset.sha256],
    ['evaluator', `${evaluator.name} (${evaluator.kind}, ${evaluator.precision}, ${evaluator.provider})`],
    ['evaluator SHA-256', evaluator.sha256],
    ...evaluator.notes.map((note): [string, Words] => ['note', note]),
    ['seed', String(seed)],
    ...(draws === undefined
      ? []
      : [['draws', seedsWords({ seed, draws, defaultDraws })] satisfies [string, Words]]),
    ...(limit === undefined
      ? []
      : [['limit', say('service.firstExamples', limit)] satisfies [string, Words]]),
    ...Object.entries(options).map(([option, value]): [string, string] => [option, String(value)]),
    // "draws" alone names how many draws the run made.
    ...Object.entries(versions).map(([part, version]): [string, string] => [
      part === 'draws' ? 'version of draws' : part,
      version,
    ]),
  ];
}

/** If an evaluator has several reports of a probe, its name gets what differs. Headlines are shortened. */
export function toldApart(reports: readonly ReportView[]): ReportView[] {
  const brief = shortNames(reports.map(({ evaluator }) => evaluator));
  const renamed = ({ headline, evaluator }: ReportView, to: string): Pick<ReportView, 'headline'> =>
    headline === undefined
      ? {}
      : { headline: withValues(headline, (value) => (value === evaluator ? to : value)) };
  return reports.map((report, i) => {
    const same = reports.filter(
      ({ probe, evaluator }) => probe === report.probe && evaluator === report.evaluator,
    );
    if (same.length < 2) return { ...report, ...renamed(report, brief[i]) };
    const valueIn = ({ made }: ReportView, what: string) => made.find(([key]) => key === what)?.[1] ?? '–';
    const keys = [...new Set(same.flatMap(({ made }) => made.map(([what]) => what)))];
    const differing = keys.find((what) => new Set(same.map((each) => english(valueIn(each, what)))).size > 1);
    const words =
      differing === undefined
        ? `run ${same.indexOf(report) + 1}`
        : `${differing} ${english(valueIn(report, differing)).slice(0, mostLetters)}`;
    const evaluator = `${report.evaluator} · ${words}`;
    return { ...report, evaluator, ...renamed(report, `${brief[i]} · ${words}`) };
  });
}

/** In a page's request, replaces report keys with paths. `pathOf` throws if the page has no such report. */
export function withPaths<N extends RowRequest>(
  name: N,
  ask: RowAsk<N>,
  pathOf: (key: string) => string,
): RowAsk<N> {
  const { report, others, selection }: { report: string; others?: string[]; selection?: Selection } = ask;
  const versus = selection?.versus && { ...selection.versus, report: pathOf(selection.versus.report) };
  return {
    ...ask,
    report: pathOf(report),
    // In other requests, `others` are captions.
    ...(comparing.includes(name) && { others: others?.map(pathOf) }),
    ...(versus && { selection: { ...selection, versus } }),
  };
}
