import { figure, interval, metricKey } from '../figures';
import type { LinedUp, PairOfReports } from '../lineUp';
import type { Report } from '../report';
import { auditPictures } from './pictures/invariance';
import { type Point, tradeOff } from './chart';
import { htmlTable, listSection, page } from './page';
import { escapeXml as e } from '../../base/xml';

/** Several reports of one probe as one page: the table, LGIP's trade-off, an audit's pictures, and every two tested row by row. */
export function comparisonHtml(
  reports: readonly Report[],
  lined: LinedUp,
  pairs: readonly PairOfReports[],
): string {
  const names = reports.map(({ evaluator }) => evaluator.name);
  const table = htmlTable(
    [{ title: 'metric' }, ...names.map((title) => ({ title, number: true }))],
    lined.metrics.map(({ name, values }) => [
      e(name),
      ...values.map((metric) =>
        metric === undefined ? '' : `${figure(metric.value)}<span class="quiet">${interval(metric)}</span>`,
      ),
    ]),
  );
  const points = reports.flatMap(lgipPoint);
  return page(`${lined.probe}: ${names.join(' · ')}`, [
    points.length > 1
      ? tradeOff(
          'Steady and alert: the line joins those that no other beats on both',
          'invariance error (less is better)',
          'sensitivity (more is better)',
          points,
        )
      : '',
    lined.probe === 'invariance'
      ? auditPictures(
          reports.map(({ evaluator, metrics }) => ({ name: evaluator.name, metrics })),
          false,
        ).join('\n')
      : '',
    table,
    pairs.length === 0 ? '' : `<h2>Every two, row by row</h2>${pairTable(pairs, names)}`,
    listSection('Not the same in all', lined.differences),
  ]);
}

function lgipPoint({ evaluator, metrics }: Report): Point[] {
  const find = (id: string) =>
    metrics.find((metric) => metricKey(metric) === metricKey({ id, value: null, n: 0 }));
  const [inv, sens] = [find('lgip.inv'), find('lgip.sens')];
  if (inv?.value == null || sens?.value == null) return [];
  const point: Point = { name: evaluator.name, x: inv.value, y: sens.value };
  if (inv.ci) point.xci = inv.ci;
  if (sens.ci) point.yci = sens.ci;
  return [point];
}

function pairTable(pairs: readonly PairOfReports[], names: readonly string[]): string {
  const columns = [
    { title: 'metric' },
    { title: 'second − first' },
    { title: 'n', number: true },
    { title: 'difference', number: true },
    { title: '95 % interval', number: true },
    { title: 'McNemar p, adjusted', number: true },
    { title: '' },
  ];
  return htmlTable(
    columns,
    pairs.map(({ metric, first, second, n, difference, ci, adjusted, verdict }) => [
      e(metric),
      e(`${names[second]} − ${names[first]}`),
      String(n),
      (difference > 0 ? '+' : '') + figure(difference),
      ci ? `[${ci.map((end) => figure(end)).join(', ')}]` : '–',
      adjusted === undefined ? '' : adjusted.toPrecision(3),
      verdict === 'undecided' ? 'undecided' : `${e(names[verdict === 'first' ? first : second])} is better`,
    ]),
  );
}
