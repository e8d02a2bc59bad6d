import { basename, extname } from 'node:path';
import { writeCopy } from '../../audit/benchmark/copy';
import { defaultSeed } from '../../audit/output/folder';
import { runBenchmark } from '../../audit/benchmark/run';
import type { WrittenReport } from '../../audit/output/writeReport';
import { CaptiousError } from '../../base/errors';
import { parseFieldMap } from '../../dataset/fields/fields';
import { isCount } from '../../probe/benchmark/faultNames';
import { wholeMetric } from '../../probe/view';
import { valueOf } from '../../report/figures';
import { type Command, repeated, text, wholeNumber } from '../arguments';
import { askedCopy, copyOptions, showCopy } from '../benchmarkCopy';
import { images, limit, map, slices, splitOptions } from '../options';
import { Listener, showReports } from '../reports';
import { print, printJson, table } from '../terminal';

export const benchmarkCommand: Command = {
  name: 'benchmark',
  summary: 'check a benchmark of right and wrong captions without any evaluator',
  usage: ['benchmark FILE… [--out DIR]', 'benchmark FILE --write FILE2 [--filters NAME,…]'],
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
    seed: { value: 'N', describe: 'seed of the folds of images and of what balance removes (default 42)' },
    ...copyOptions,
    slices,
    json: { describe: 'print the reports as a JSON list, and nothing else' },
  },
  notes: [
    'The report says what accuracy is possible for models that see no order of words or no image, and what accuracy simple models without images have. docs/benchmark.md explains the metrics.',
  ],
  examples: [
    'benchmark add_obj.json swap_obj.json --out reports',
    'benchmark mine.json --write better.json --filters equal,duplicate,balance',
  ],

  async run({ positionals, values, signal }) {
    if (positionals.length === 0)
      throw new CaptiousError('usage', 'A dataset file is missing.', {
        remedy: 'See: captious benchmark --help',
      });
    const given = text(values, 'map');
    const shared = {
      ...{ signal, seed: wholeNumber(values, 'seed') ?? defaultSeed, images: repeated(values, 'images') },
      ...(given === undefined ? {} : { map: parseFieldMap(given) }),
    };
    const copyTo = askedCopy(values, positionals);
    const listener = new Listener();
    const written: WrittenReport[] = [];
    const check = async (dataset: string): Promise<WrittenReport> =>
      runBenchmark({
        ...{ ...shared, dataset, out: text(values, 'out') },
        ...{ limit: wholeNumber(values, 'limit', 1), onEvent: (event) => listener.hear(event) },
      });
    let copy: Awaited<ReturnType<typeof writeCopy>> | undefined;
    try {
      if (copyTo !== undefined) copy = await writeCopy({ ...shared, ...copyTo, dataset: positionals[0] });
      for (const dataset of copy === undefined ? positionals : [positionals[0], copy.copy.path])
        written.push(await check(dataset));
    } finally {
      listener.done();
    }
    if (copy !== undefined) {
      const [before, after] = written;
      if (values.json === true) printJson({ ...copy, reports: written.map(({ report }) => report) });
      else showCopy(copy, [before, after]);
      return 0;
    }
    showReports(written, values);
    if (written.length > 1 && values.json !== true) print(`\n${together(written)}`);
    return 0;
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
