import { basename, extname } from 'node:path';
import { defaultSeed } from '../../audit/output/folder';
import { runBenchmark } from '../../audit/benchmark/run';
import type { WrittenReport } from '../../audit/output/writeReport';
import { CaptiousError } from '../../base/errors';
import { parseFieldMap } from '../../dataset/fields/fields';
import { isCount } from '../../probe/benchmark/faultNames';
import { wholeMetric } from '../../probe/view';
import { valueOf } from '../../report/figures';
import { parseGate } from '../../report/gate';
import { type Command, repeated, text, wholeNumber } from '../arguments';
import { images, limit, map, slices, splitOptions } from '../options';
import { Listener, showReports } from '../reports';
import { log, print, table } from '../terminal';

export const benchmarkCommand: Command = {
  name: 'benchmark',
  summary: 'check a benchmark of right and wrong captions without any evaluator',
  usage: ['benchmark FILE… [--out DIR]'],
  operands: {
    'FILE…':
      'dataset files whose examples have right and wrong captions, such as SugarCrepe, VALSE or Winoground. Each file has its own report',
  },
  options: {
    ...splitOptions,
    out: {
      value: 'DIR',
      describe:
        "folder for reports and rows (default: a folder for each dataset under Captious's home folder)",
    },
    images: {
      ...images,
      describe: 'image folder, to count the items whose image has no file there. Repeatable',
    },
    map,
    limit,
    seed: { value: 'N', describe: 'seed of the folds of images (default 42)' },
    slices,
    'fail-on': {
      value: 'EXPR',
      describe:
        'exit with code 1 if EXPR is true for a file. Example: --fail-on "benchmark.blind.bigram > 0.6 || benchmark.contradictions > 0"',
    },
    json: { describe: 'print the reports as a JSON list, and nothing else' },
  },
  notes: [
    'The report says what accuracy is possible for models that see no order of words or no image, and what accuracy simple models without images have. docs/benchmark.md explains the metrics.',
  ],
  examples: ['benchmark add_obj.json swap_obj.json --out reports'],

  async run({ positionals, values, signal }) {
    if (positionals.length === 0)
      throw new CaptiousError('usage', 'A dataset file is missing.', {
        remedy: 'See: captious benchmark --help',
      });
    const given = text(values, 'map');
    const gateText = text(values, 'fail-on');
    const gate = gateText === undefined ? undefined : parseGate(gateText);
    const listener = new Listener();
    const written: WrittenReport[] = [];
    try {
      for (const dataset of positionals)
        written.push(
          await runBenchmark({
            ...{
              dataset,
              signal,
              seed: wholeNumber(values, 'seed') ?? defaultSeed,
              out: text(values, 'out'),
            },
            images: repeated(values, 'images'),
            ...{ limit: wholeNumber(values, 'limit', 1), onEvent: (event) => listener.hear(event) },
            ...(given === undefined ? {} : { map: parseFieldMap(given) }),
          }),
        );
    } finally {
      listener.done();
    }
    showReports(written, values);
    if (written.length > 1 && values.json !== true) print(`\n${together(written)}`);
    // All files have the same evaluator, so each is checked alone.
    const broken = written.filter(({ report }) => gate?.holds([report]));
    for (const { report } of broken) log(`gate failed for ${report.dataset.path}: ${gate!.text}`);
    return broken.length === 0 ? 0 : 1;
  },
};

/** A table of the reports' metrics, with the mean over the items of all files. */
function together(written: readonly WrittenReport[]): string {
  const ids = new Set(written.flatMap(({ report }) => report.metrics.map(({ id }) => id)));
  const rows = [...ids].flatMap((id) => {
    const own = written.map(({ report }) => wholeMetric(report.metrics, id));
    const known = own.filter((metric) => metric !== undefined && metric.value !== null);
    if (id.endsWith('.p') || known.length === 0) return [];
    const n = known.reduce((total, metric) => total + metric!.n, 0);
    const sum = known.reduce((total, metric) => total + metric!.value! * (isCount(id) ? 1 : metric!.n), 0);
    return [
      [
        id,
        ...own.map((metric) => valueOf({ id, value: metric?.value ?? null })),
        valueOf({ id, value: isCount(id) ? sum : sum / n }),
        String(n),
      ],
    ];
  });
  const files = written.map(({ report }) => basename(report.dataset.path, extname(report.dataset.path)));
  return table(['metric', ...files, 'all files', 'n'], rows);
}
