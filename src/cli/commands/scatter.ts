import { CaptiousError } from '../../base/errors';
import type { Point } from '../../chart/chart';
import { htmlTable, page } from '../../report/export/page';
import { drawn } from '../../report/export/probeCharts';
import { figure } from '../../report/figures';
import { writeWhole } from '../../report/output';
import { readReport, type Report } from '../../report/report';
import { escapeXml as e } from '../../base/xml';
import type { Metric } from '../../probe/metric';
import { type Command, text } from '../arguments';
import { log, print, printJson, table } from '../terminal';

export const scatterCommand: Command = {
  name: 'scatter',
  summary:
    'plot two metrics of each evaluator against each other, such as the stability of its scores and its agreement with people',
  usage: ['scatter REPORT… --x ID --y ID'],
  operands: {
    'REPORT…':
      'reports of two probes, such as lgip and human. Reports with the same evaluator id form one point',
  },
  options: {
    x: { value: 'ID', describe: 'metric of the x axis. Lower values must be better. Example: lgip.inv' },
    y: { value: 'ID', describe: 'metric of the y axis. Higher values must be better (default human.tauB)' },
    html: { value: 'FILE', describe: 'write the chart and its table as an HTML page' },
    json: { describe: 'print the points as one JSON value' },
  },
  notes: ['The line connects the evaluators that no other evaluator beats on both axes.'],
  examples: [
    'scatter reports/lgip.*.report.json reports/human.*.report.json --x lgip.inv --y human.tauB --html scatter.html',
  ],

  async run({ positionals, values }) {
    const x = text(values, 'x');
    const y = text(values, 'y') ?? 'human.tauB';
    if (positionals.length < 2 || x === undefined)
      throw new CaptiousError('usage', 'Two or more reports and --x are needed.', {
        remedy: 'See: captious scatter --help',
      });
    const points = pointsOf(await Promise.all(positionals.map(readReport)), x, y);
    if (points.length === 0)
      throw new CaptiousError('input', `No evaluator has both ${x} and ${y}.`, {
        at: positionals.join(', '),
        remedy:
          'Specify reports of the same evaluators for both probes. Use metrics that these reports contain.',
      });
    if (values.json === true) {
      printJson({ x, y, points });
      return 0;
    }
    const cells = points.map((point) => [point.name, shown(point.x, point.xci), shown(point.y, point.yci)]);
    print(table(['evaluator', x, y], cells));
    const file = text(values, 'html');
    if (file !== undefined) {
      const chart = { type: 'tradeOff', title: `${y} against ${x}`, x, y, points } as const;
      const list = htmlTable(
        ['evaluator', x, y].map((title) => ({ title })),
        cells.map((row) => row.map(e)),
      );
      await writeWhole(file, page(`${y} against ${x}`, [drawn([chart]).join('\n'), list]));
      log(`wrote ${file}`);
    }
    return 0;
  },
};

function shown(value: number, ci: Point['xci']): string {
  return ci === undefined ? figure(value) : `${figure(value)} [${ci.map((end) => figure(end)).join(', ')}]`;
}

/**
 * One point for each evaluator that has both metrics. If several reports have a metric, the last report
 * counts.
 */
function pointsOf(reports: readonly Report[], x: string, y: string): Point[] {
  const byId = new Map<string, { name: string; x?: Metric; y?: Metric }>();
  for (const { evaluator, metrics } of reports) {
    const own = byId.get(evaluator.id) ?? { name: evaluator.name };
    const whole = (id: string): Metric | undefined =>
      metrics.find((metric) => metric.id === id && metric.slice === undefined && metric.value !== null);
    byId.set(evaluator.id, { name: own.name, x: whole(x) ?? own.x, y: whole(y) ?? own.y });
  }
  return [...byId.values()].flatMap(({ name, x: across, y: up }): Point[] => {
    if (typeof across?.value !== 'number' || typeof up?.value !== 'number') return [];
    return [
      {
        name,
        x: across.value,
        y: up.value,
        ...(across.ci === undefined ? {} : { xci: across.ci }),
        ...(up.ci === undefined ? {} : { yci: up.ci }),
      },
    ];
  });
}
