import { basename } from 'node:path';
import { english } from '../../base/english';
import { type CaptiousError, inputError, usageError } from '../../base/errors';
import { chooseFrom } from '../../base/text/nearest';
import { writeWhole } from '../../report/output';
import { readReport } from '../../report/report';
import {
  axesOf,
  type Axis,
  pointsOf,
  type ReportFile,
  scatterCsv,
  scatterPage,
  scatterSvg,
  shownOn,
} from '../../report/scatter';
import { type Command, text } from '../arguments';
import { log, print, printJson, table } from '../terminal';

export const scatterCommand: Command = {
  name: 'scatter',
  summary:
    'plot two metrics of each evaluator against each other, such as the stability of its scores and its agreement with people',
  usage: ['scatter REPORT… --x ID [--y ID]'],
  operands: {
    'REPORT…':
      'reports of two probes, such as lgip and human. Reports with the same evaluator id form one point',
  },
  options: {
    x: { value: 'ID', describe: 'metric of the x axis. Example: lgip.inv' },
    y: { value: 'ID', describe: 'metric of the y axis (default human.tauB)' },
    html: { value: 'FILE', describe: 'write the chart and its table as an HTML page' },
    svg: { value: 'FILE', describe: 'write the chart for a paper, one column wide' },
    csv: { value: 'FILE', describe: 'write the points with their intervals' },
    json: { describe: 'print the points as one JSON value' },
  },
  notes: [
    'The line connects the evaluators that no other evaluator beats on both axes. An evaluator at chance level, whose value therefore says nothing, is never on it. The axis titles say whether lower or higher values are better.',
  ],
  examples: [
    'scatter reports/lgip.*.report.json reports/human.*.report.json --x lgip.inv --y human.tauB --html scatter.html',
  ],

  async run({ positionals, values }) {
    const x = text(values, 'x');
    const y = text(values, 'y') ?? 'human.tauB';
    if (positionals.length < 2 || x === undefined)
      throw usageError('Two or more reports and --x are needed.', 'See: captious scatter --help');
    const files = await Promise.all(
      positionals.map(async (path): Promise<ReportFile> => ({ path, report: await readReport(path) })),
    );
    const axes = axesOf(files);
    const [across, up] = [axisOf(axes, x), axisOf(axes, y)];
    if (across === undefined) throw unknownAxis('x', x, axes);
    if (up === undefined) throw unknownAxis('y', y, axes);
    const points = pointsOf(files, across, up);
    if (points.length === 0)
      throw inputError(
        `No evaluator has both ${x} and ${y}.`,
        'Specify reports of the same evaluators for both probes. Use metrics that these reports contain.',
        positionals.join(', '),
      );
    const written = [
      ['html', scatterPage],
      ['svg', scatterSvg],
      ['csv', scatterCsv],
    ] as const;
    for (const [option, content] of written) {
      const file = text(values, option);
      if (file === undefined) continue;
      await writeWhole(file, content(across, up, points));
      log(`wrote ${file}`);
    }
    if (values.json === true) printJson({ x, y, points });
    else
      print(
        table(
          ['evaluator', x, y],
          points.map((point) => [
            point.name,
            ...(['x', 'y'] as const).map((axis) => english(shownOn(axis, point))),
          ]),
        ),
      );
    return 0;
  },
};

function unknownAxis(option: string, metric: string, axes: readonly Axis[]): CaptiousError {
  return usageError(
    `--${option}: no report has the metric "${metric}".`,
    chooseFrom(
      metric,
      axes.map((axis) => axis.metric),
    ),
  );
}

/** The axis of a metric; undefined if no report has it. Throws for several datasets: not comparable. */
function axisOf(axes: readonly Axis[], metric: string): Axis | undefined {
  const own = axes.filter((axis) => axis.metric === metric);
  if (own.length > 1)
    throw inputError(
      `The reports with ${metric} are of different datasets.`,
      'Specify the reports of one dataset for each metric.',
      own.map(({ dataset }) => basename(dataset)).join(', '),
    );
  return own.at(0);
}
