import { join, relative } from 'node:path';
import { runAudit } from '../../audit/run';
import type { WrittenReport } from '../../audit/writeReport';
import { installFolder } from '../../base/install';
import type { Metric } from '../../probe/probe';
import { type Command, text } from '../arguments';
import { log, print, printJson, ProgressBar, table } from '../terminal';

/** What the demonstration shows of each probe, in words that need no paper. */
const parts = [
  {
    probe: 'lgip',
    file: 'captions.json',
    lines: [
      ['lgip.inv', 'a caption reworded: the score moves by'],
      ['lgip.sens', 'a caption made wrong: the score falls by'],
      ['lgip.pr', 'wrong captions that score lower'],
      ['lgip.pr.object', '… another object (dog → cat)'],
      ['lgip.pr.color', '… another colour (red → blue)'],
      ['lgip.pr.number', '… another number (two → three)'],
    ],
  },
  {
    probe: 'visla',
    file: 'triplets.tsv',
    lines: [
      ['visla.t2t', 'same meaning closer than same words'],
      ['visla.i2t', 'both right captions beat the wrong one, given the photo'],
    ],
  },
  {
    probe: 'sugarcrepe',
    file: 'sugarcrepe.json',
    lines: [['sugarcrepe.sugarcrepe', "the photo's caption beats one that is wrong in one place"]],
  },
] as const;

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
    for (const { probe, file } of parts) {
      const reports = await runAudit({
        dataset: join(samples, file),
        probes: [probe],
        evaluators: ['starter'],
        images: [join(samples, 'images')],
        out: text(values, 'out'),
        signal,
        onEvent: (event) => {
          if (event.type === 'progress') bar.draw(event.probe, event.progress);
        },
      }).finally(() => bar.clear());
      written.push(...reports);
    }
    if (values.json) printJson(written.map(({ report }) => report));
    else show(written, (performance.now() - started) / 1000);
    return 0;
  },
};

function show(written: readonly WrittenReport[], seconds: number): void {
  const { evaluator } = written[0].report;
  print(`\nCan ${evaluator.name} be trusted to score captions? Asked over the sample photos:\n`);
  const metrics = written
    .flatMap(({ report }) => report.metrics)
    .filter((metric) => metric.slice === undefined);
  const rows = parts.flatMap(({ lines }) =>
    lines.flatMap(([id, words]) => {
      const metric = metrics.find((candidate) => candidate.id === id);
      return metric === undefined ? [] : [[words, ...cells(metric), String(metric.n)]];
    }),
  );
  print(table(['what was asked', 'answer', '95 % interval', 'n'], rows));
  print('\nWhat that says:');
  for (const { report } of written) for (const claim of report.claims) print(`  • ${claim.text}`);
  print(
    '\nThe starter is an ImageNet classifier stitched to a text encoder: it is here so that the first minute works offline.' +
      '\nNever publish a figure from it; audit your own encoder the same way:',
  );
  print('  captious audit captions.json --probe lgip --evaluator path/to/your/encoder --images photos\n');
  for (const { path } of written) print(`report: ${shorter(path)}`);
  log(`${seconds.toFixed(1)} s`);
}

/** Scores move by hundredths, rates are shares of a whole. */
function cells({ id, value, ci }: Metric): [string, string] {
  const isMove = id === 'lgip.inv' || id === 'lgip.sens';
  const write = (x: number) => (isMove ? x.toFixed(3) : `${Math.round(x * 100)} %`);
  return [value === null ? '–' : write(value), ci === undefined ? '' : `${write(ci[0])} to ${write(ci[1])}`];
}

function shorter(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith('..') ? path : here;
}
