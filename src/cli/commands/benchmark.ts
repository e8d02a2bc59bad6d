import { basename, extname } from 'node:path';
import { defaultSeed } from '../../audit/output/folder';
import { runBenchmark } from '../../audit/benchmark/run';
import { openTools } from '../../audit/benchmark/tools';
import type { WrittenReport } from '../../audit/output/writeReport';
import { CaptiousError } from '../../base/errors';
import { parseFieldMap } from '../../dataset/fields/fields';
import { isCount } from '../../probe/benchmark/faultNames';
import { wholeMetric } from '../../probe/view';
import { valueOf } from '../../report/figures';
import { type Command, repeated, text, wholeNumber } from '../arguments';
import { allowing } from '../consent';
import { images, limit, map, slices, splitOptions } from '../options';
import { Listener, showReports } from '../reports';
import { print, table } from '../terminal';

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
      describe:
        'image folder, to find missing, corrupt and equal images. Images next to the dataset or inside it need no folder. Repeatable',
    },
    against: {
      value: 'FILE',
      multiple: true,
      describe:
        'another dataset, such as captions that a model was trained on, to find items whose image or right caption is there, too. The other files of the command count, too. Repeatable',
    },
    text: {
      value: 'FILE',
      describe: 'text file with a sentence in each line, for a language model as a further baseline',
    },
    encoder: {
      value: 'E',
      describe:
        'text encoder, such as starter or a model folder, for a further baseline: the caption whose embedding is nearer to those of right captions',
    },
    map,
    limit,
    seed: { value: 'N', describe: 'seed of the folds of images (default 42)' },
    slices,
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
    const listener = new Listener();
    const written: WrittenReport[] = [];
    const tools = await openTools({
      encoder: text(values, 'encoder'),
      ...{ signal, allow: allowing(false, signal) },
    });
    try {
      for (const dataset of positionals)
        written.push(
          await runBenchmark({
            ...{ tools, text: text(values, 'text') },
            against: [...positionals.filter((other) => other !== dataset), ...repeated(values, 'against')],
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
      await tools.close();
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
