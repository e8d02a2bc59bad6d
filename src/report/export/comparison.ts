import type { Words } from '../../base/say';
import type { Chart } from '../../chart/chart';
import { reporting } from '../../probe/list';
import { pValueText } from '../../base/pValue';
import type { Metric } from '../../probe/metric';
import { countOf, endsOf, figure, interval, valueOf } from '../figures';
import { observation } from '../../base/text/observations';
import { english } from '../../base/english';
import { metricTitles } from '../titles';
import { captionsWords, type LinedUp, type PairOfReports, verdictWords } from '../lineUp';
import { hasP } from '../paired';
import { rightOnly } from '../discordant';
import type { Report } from '../report';
import { basisOf, comparableMetrics } from '../scale';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';
import { htmlTable, listSection, page } from './page';
import { drawn } from './chartMarkup';
import { escapeXml as e } from '../../base/xml';

/**
 * One page about several reports of a probe: the probe's charts, a table of the metrics, paired comparisons,
 * example charts, and the other differences between the runs.
 */
export function comparisonHtml(
  reports: readonly Report[],
  lined: LinedUp,
  pairs: readonly PairOfReports[],
  examples: readonly Chart<Words>[] = [],
): string {
  const { names } = lined;
  const titleOf = metricTitles(
    lined.probe,
    reports.flatMap(({ metrics }) => metrics),
  );
  const table = htmlTable(
    [{ title: 'metric' }, ...names.map((title) => ({ title, number: true }))],
    [
      ['dataset', ...lined.datasets.map(e)],
      ...lined.metrics.map(({ values }) => [
        e(titleOf(values.find((metric) => metric !== undefined)!)),
        ...values.map((metric) =>
          metric === undefined ? '' : `${valueOf(metric)}<span class="quiet">${interval(metric)}</span>`,
        ),
      ]),
    ],
  );
  const basis = basisOf(reports);
  const named = reports.map(({ metrics, evaluator }, i) => ({
    metrics: comparableMetrics(lined.probe, metrics, basis),
    evaluator: { ...evaluator, name: names[i] },
  }));
  const charts = drawn(reporting(lined.probe).comparisonCharts?.(named) ?? []);
  return page(`${reporting(lined.probe).title}: ${names.join(' · ')}`, [
    charts.join('\n'),
    table,
    lined.notCompared === undefined ? '' : `<p>${e(lined.notCompared)}</p>`,
    pairs.length === 0
      ? ''
      : `<h2>Paired comparisons</h2><p>Paired t-test over the shared rows, with standard errors clustered by ${e(english(observation(lined.cluster)))}. For differences of scores, the test corrects for skewness.${e(captionsWords(pairs))} For correlations: a permutation test with random sign flips. The p values are Holm-adjusted over all tests of the table.</p>${pairTable(pairs, names, titleOf, lined.cluster)}`,
    drawn(examples).join('\n'),
    listSection('Differences between the runs', lined.differences.map(english)),
  ]);
}

/** Charts of examples with the results of all evaluators. */
export async function comparedExamples(
  reports: readonly Report[],
  paths: readonly string[],
  { probe, names }: LinedUp,
): Promise<Chart<Words>[]> {
  const rowsOf = (i: number) => () => readRows(paths[i], reports[i], new LeftOutRows());
  return (await reporting(probe).sideBySide?.(names.map((name, i) => ({ name, rows: rowsOf(i) })))) ?? [];
}

function pairTable(
  pairs: readonly PairOfReports[],
  names: readonly string[],
  titleOf: (metric: Metric) => string,
  cluster: string | undefined,
): string {
  const columns = [
    { title: 'metric' },
    { title: 'second − first' },
    { title: 'n', number: true },
    { title: 'difference', number: true },
    { title: '95 % interval', number: true },
    { title: 'p', number: true },
    { title: 'p, Holm-adjusted', number: true },
    { title: 'only one is right (first : second)', number: true },
    { title: '' },
  ];
  return htmlTable(
    columns,
    pairs.map((pair) => [
      e(titleOf({ id: pair.metric, value: null, n: 0 })),
      e(`${names[pair.second]} − ${names[pair.first]}`),
      english(countOf(pair, cluster)),
      (pair.difference > 0 ? '+' : '') + figure(pair.difference, pair.ci),
      endsOf(pair.ci),
      hasP(pair) ? pValueText(pair.pValue) : '–',
      hasP(pair) ? pValueText(pair.adjusted) : '–',
      rightOnly(pair)?.join(' : ') ?? '',
      e(verdictWords(pair, names, cluster)),
    ]),
  );
}
