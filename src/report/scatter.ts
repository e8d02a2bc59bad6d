/* Charts two metrics of each evaluator, such as score stability and agreement with people. */
import { english } from '../base/english';
import { say, type Words } from '../base/say';
import { escapeXml as e } from '../base/xml';
import type { Better, Kind, Point } from '../chart/chart';
import { draw } from '../chart/draw';
import { columns, svgFile } from '../chart/svg';
import type { Metric } from '../probe/metric';
import { lackingGround } from '../probe/ground';
import { betterOf } from '../probe/view';
import { viewFor } from '../probe/views';
import { quote } from './export/csv';
import { htmlTable, page } from './export/page';
import { drawn } from './export/chartMarkup';
import { endsOf, figure, firmInterval, shownPath } from './figures';
import { metricTitles } from './titles';
import type { Report } from './report';
import { basisOf, comparableMetrics } from './scale';
import { baseId } from '../protocol/parts/spreads';

export interface ReportFile {
  path: string;
  report: Report;
}

/** A metric on one dataset. Each dataset has its own axes. */
export interface Axis {
  key: string;
  probe: string;
  dataset: string;
  metric: string;
  /** The displayed name of the metric. */
  name: string;
  better: Better | undefined;
}

/** An evaluator with the reports of its two metrics. */
export interface ScatterPoint extends Point {
  id: string;
  reports: { x: string; y: string };
  /** The axes on which the value says nothing. */
  groundlessOn?: ('x' | 'y')[];
}

/** The probe whose metrics measure agreement with people. */
const people = 'human';

export function isAgreement({ probe }: Pick<Axis, 'probe'>): boolean {
  return probe === people;
}

function keyOf({ dataset }: Report, metric: string): string {
  return JSON.stringify([dataset.sha256, metric]);
}

function isShown({ slice, value, moot }: Metric): boolean {
  return slice === undefined && value !== null && moot !== true;
}

/** The metrics that all evaluators with reports on a dataset have in the same units. */
export function axesOf(files: readonly ReportFile[]): Axis[] {
  const axes = new Map<string, Axis>();
  for (const { report } of files) {
    const { probe, dataset, metrics } = report;
    const view = viewFor(probe);
    const nameOf = metricTitles(probe, metrics);
    const together = files.flatMap(({ report: other }) =>
      other.probe === probe && other.dataset.sha256 === dataset.sha256 ? [other] : [],
    );
    for (const metric of comparableMetrics(probe, metrics, basisOf(together)).filter(isShown)) {
      const { id } = metric;
      const key = keyOf(report, id);
      const better = betterOf(view, baseId(id));
      if (!axes.has(key))
        axes.set(key, {
          ...{ key, probe, metric: id, better },
          dataset: shownPath(dataset.path),
          name: nameOf(metric),
        });
    }
  }
  return [...axes.values()];
}

/** The evaluators with a value on both axes. An evaluator's last report with a metric counts. */
export function pointsOf(
  files: readonly ReportFile[],
  x: Pick<Axis, 'key'>,
  y: Pick<Axis, 'key'>,
): ScatterPoint[] {
  const byId = new Map<string, { name: string; x?: Found; y?: Found }>();
  for (const { path, report } of files) {
    const { id, name } = report.evaluator;
    const found = ({ key }: Pick<Axis, 'key'>): Found | undefined => {
      const metric = report.metrics.find((own) => isShown(own) && keyOf(report, own.id) === key);
      if (metric === undefined) return undefined;
      const lacking = lackingGround(viewFor(report.probe), report.metrics, metric.id);
      return { path, metric, isGroundless: lacking !== undefined };
    };
    const before = byId.get(id) ?? { name };
    byId.set(id, { name, x: found(x) ?? before.x, y: found(y) ?? before.y });
  }
  return [...byId].flatMap(([id, { name, x: across, y: up }]): ScatterPoint[] => {
    if (typeof across?.metric.value !== 'number' || typeof up?.metric.value !== 'number') return [];
    const [xci, yci] = [firmInterval(across.metric), firmInterval(up.metric)];
    const groundlessOn = [
      ...(across.isGroundless ? ['x' as const] : []),
      ...(up.isGroundless ? ['y' as const] : []),
    ];
    return [
      {
        ...{ id, name, x: across.metric.value, y: up.metric.value },
        ...(xci === undefined ? {} : { xci }),
        ...(yci === undefined ? {} : { yci }),
        ...(groundlessOn.length === 0 ? {} : { groundless: true, groundlessOn }),
        reports: { x: across.path, y: up.path },
      },
    ];
  });
}

interface Found {
  path: string;
  metric: Metric;
  isGroundless: boolean;
}

/** The metrics of agreement to show first, if a report has them. */
const leadingAgreement = ['human.tauB', 'human.accuracy', 'human.foil'];

/**
 * The axes to show first: an agreement metric and another metric. As many evaluators as possible have both.
 * Ties go to leading agreement metrics, then to metrics where lower is better. Undefined if no evaluator has both.
 */
export function firstAxes(files: readonly ReportFile[]): { x: Axis; y: Axis } | undefined {
  const axes = axesOf(files);
  const order = ({ metric }: Axis): number => {
    const at = leadingAgreement.indexOf(metric);
    return at === -1 ? leadingAgreement.length : at;
  };
  const up = axes.filter(isAgreement).sort((a, b) => order(a) - order(b));
  const across = axes
    .filter((axis) => !isAgreement(axis))
    .sort((a, b) => Number(b.better === 'lower') - Number(a.better === 'lower'));
  let best: { x: Axis; y: Axis; points: number } | undefined;
  for (const y of up)
    for (const x of across) {
      const points = pointsOf(files, x, y).length;
      if (points > (best?.points ?? 0)) best = { x, y, points };
    }
  return best;
}

export function scatterChart(
  x: Axis,
  y: Axis,
  points: readonly Point[],
): Kind<'tradeOff'> & { title: string } {
  return {
    type: 'tradeOff',
    title: `${y.metric} against ${x.metric}`,
    x: axisTitle(x),
    y: axisTitle(y),
    points,
    better: { x: x.better, y: y.better },
  };
}

function axisTitle({ name, better }: Axis): string {
  return better === undefined ? name : `${name} (${better} is better)`;
}

/** A point's value on one axis, with its interval, and whether it says nothing. */
export function shownOn(axis: 'x' | 'y', point: ScatterPoint): Words {
  const ci = axis === 'x' ? point.xci : point.yci;
  const value = figure(point[axis], ci);
  const whole = ci === undefined ? value : `${value} ${endsOf(ci)}`;
  return point.groundlessOn?.includes(axis) === true ? say('report.atChanceLevel', whole) : whole;
}

/** The chart with its table, as a file that works without Captious. */
export function scatterPage(x: Axis, y: Axis, points: readonly ScatterPoint[]): string {
  const chart = scatterChart(x, y, points);
  const table = htmlTable(
    ['evaluator', x.metric, y.metric].map((title) => ({ title })),
    points.map((point) => [
      e(point.name),
      ...(['x', 'y'] as const).map((axis) => e(english(shownOn(axis, point)))),
    ]),
  );
  const about = [x, y].map(({ metric, dataset }) => `${metric}: ${dataset}`).join(' · ');
  return page(chart.title, [...drawn([chart]), table, `<p class="quiet">${e(about)}</p>`]);
}

/** The chart for a paper, one column wide. */
export function scatterSvg(x: Axis, y: Axis, points: readonly Point[]): string {
  const drawing = draw(scatterChart(x, y, points), columns.single.units);
  if (drawing === undefined) throw new Error('The chart has no points.');
  return svgFile(drawing, columns.single);
}

export function scatterCsv(x: Axis, y: Axis, points: readonly ScatterPoint[]): string {
  const heads = [x.metric, y.metric].flatMap((id) => [id, `${id}.low`, `${id}.high`]);
  const nameOf = (axis: 'x' | 'y') => ({ x, y })[axis].metric;
  const lines = points.map((point) => [
    ...[point.name, point.x, ...ends(point.xci), point.y, ...ends(point.yci)],
    (point.groundlessOn ?? []).map(nameOf).join(' '),
  ]);
  return [['evaluator', ...heads, 'at chance level'], ...lines]
    .map((cells) => `${cells.map(quote).join(',')}\r\n`)
    .join('');
}

function ends(ci: Point['xci']): (number | undefined)[] {
  return ci === undefined ? [undefined, undefined] : [...ci];
}
