import { english } from '../../base/english';
import { append } from '../../base/lists';
import { join, relative } from 'node:path';
import { runAudit } from '../../audit/run';
import { installFolder } from '../../base/install';
import { probes } from '../../probe/generated/probes';
import type { Metric } from '../../probe/metric';
import { countOf, seedsWords } from '../../report/figures';
import type { DemoLine } from '../../probe/probe';
import { type Command, text } from '../arguments';
import { log, print, printJson, ProgressBar, table } from '../terminal';
import type { WrittenReport } from '../../audit/output/writtenReport';

/** Probes with a demonstration on a sample file. */
const shown = probes.flatMap(({ id, demo }) => (demo === undefined ? [] : [{ id, ...demo }]));

export const demoCommand: Command = {
  name: 'demo',
  summary: 'audit the sample images with the starter encoder',
  usage: ['demo'],
  options: {
    out: { value: 'DIR', describe: "folder for the reports (default: under Captious's home folder)" },
    json: { describe: 'print the reports as a JSON list' },
  },
  examples: ['demo'],

  async run({ values, signal }) {
    const samples = join(installFolder(), 'samples');
    const bar = new ProgressBar();
    const started = performance.now();
    const written: WrittenReport[] = [];
    for (const { id, file } of shown) {
      const reports = await runAudit({
        dataset: join(samples, file),
        probes: [id],
        evaluators: ['starter'],
        images: [join(samples, 'images')],
        out: text(values, 'out'),
        signal,
        onEvent: (event) => {
          if (event.type === 'progress') bar.draw(event.probe, event.progress);
        },
      }).finally(() => bar.clear());
      append(written, reports);
    }
    if (values.json) printJson(written.map(({ report }) => report));
    else show(written, (performance.now() - started) / 1000);
    return 0;
  },
};

function show(written: readonly WrittenReport[], seconds: number): void {
  const { evaluator } = written[0].report;
  print(`\nCan you trust ${evaluator.name} to score captions? On the sample images:\n`);
  const metrics = written
    .flatMap(({ report }) => report.metrics)
    .filter((metric) => metric.slice === undefined);
  const rows = shown.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const metric = metrics.find(({ id }) => id === line.metric);
      return metric === undefined
        ? []
        : [[line.words, ...cells(metric, line), english(countOf(metric, undefined))]];
    }),
  );
  print(table(['question', 'answer', '95 % interval', 'n'], rows));
  for (const { report } of written)
    if ((report.draws ?? 1) > 1)
      print(`\n${report.probe}: n counts the rows of ${english(seedsWords(report))}.`);
  print('\nVerdicts:');
  for (const { report } of written) for (const claim of report.claims) print(`  • ${english(claim.text)}`);
  print(
    '\nThe starter combines an ImageNet classifier with a text encoder so that you can try Captious offline.\nDo not publish its metrics. Audit your own encoder in the same way:',
  );
  print('  captious audit captions.json --probe lgip --evaluator path/to/your/encoder --images images\n');
  for (const { path } of written) print(`report: ${shorter(path)}`);
  log(`${seconds.toFixed(1)} s`);
}

/** A metric's value and interval. Differences of scores have three decimals; rates are percentages. */
function cells({ value, ci }: Metric, { style }: DemoLine): [string, string] {
  const write = (x: number) => (style === 'number' ? x.toFixed(3) : `${Math.round(x * 100)} %`);
  return [value === null ? '–' : write(value), ci === undefined ? '' : `${write(ci[0])} to ${write(ci[1])}`];
}

function shorter(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') ? path : here;
}
