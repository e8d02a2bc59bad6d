import { basename, extname } from 'node:path';
import { writeCopy } from '../../audit/benchmark/copy';
import { defaultSeed } from '../../audit/output/folder';
import { openReports } from '../../audit/benchmark/reports';
import { runBenchmark } from '../../audit/benchmark/run';
import { openTools } from '../../audit/benchmark/tools';
import { usageError } from '../../base/errors';
import { isCount } from '../../probe/benchmark/faultNames';
import { wholeMetric } from '../../probe/view';
import { valueOf } from '../../report/figures';
import { parseGate } from '../../report/gate';
import { type Command, repeated, text, type Values, wholeNumber } from '../arguments';
import { askedCopy, copyOptions, showCopy } from '../benchmarkCopy';
import { evaluatorTable, subsetTable, suspectTable } from '../benchmarkTables';
import { allowing } from '../consent';
import { images, limit, map, slices, splitOptions } from '../options';
import { Listener, showReports } from '../reports';
import { log, print, printJson, table } from '../terminal';
import { imageFolders, fieldsOf } from '../datasetRequest';
import type { WrittenReport } from '../../audit/output/writtenReport';

export const benchmarkCommand: Command = {
  name: 'benchmark',
  summary: 'check a benchmark of right and wrong captions without any evaluator, or with reports of several',
  usage: [
    'benchmark FILE… [--reports REPORT] [--out DIR]',
    'benchmark FILE --write FILE2 [--filters NAME,…]',
  ],
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
        'another dataset, such as captions that a model was trained on, to find items whose image or right caption is there, too. Repeatable',
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
    seed: { value: 'N', describe: 'seed of the folds of images and of what balance removes (default 42)' },
    ...copyOptions,
    reports: {
      value: 'REPORT',
      multiple: true,
      describe:
        "report of an audited evaluator on FILE, or a folder with such reports: of sugarcrepe, visla, winoground and choice, or by captious import. Repeatable. Says what the evaluators' answers tell about the items: accuracy on items that no blind baseline solves, difficulty, suspected wrong labels, stable ranks, and how few items keep the order of the evaluators",
    },
    score: {
      value: 'NAME',
      describe: 'with --reports: the score of imported logs that says whether an answer is right',
    },
    subset: {
      value: 'OUT',
      describe:
        'with --reports: write the ids of the examples of the smallest subset that keeps the order of the evaluators, one on each line',
    },
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
  examples: [
    'benchmark add_obj.json swap_obj.json --out reports',
    'benchmark swap_obj.json --reports reports --subset fewer.txt',
    'benchmark own.jsonl --write repaired.jsonl --filters equal,duplicate,balance',
  ],

  async run({ positionals, values, signal }) {
    if (positionals.length === 0)
      throw usageError('A dataset file is missing.', 'See: captious benchmark --help');
    const subset = subsetOf(values, positionals.length);
    const paths = repeated(values, 'reports');
    const reports =
      paths.length === 0
        ? undefined
        : await openReports(paths, positionals, { score: text(values, 'score'), signal });
    const shared = {
      ...{ signal, seed: wholeNumber(values, 'seed') ?? defaultSeed, images: imageFolders(values) },
      map: fieldsOf(values),
    };
    const copyTo = askedCopy(values, positionals);
    const gateText = text(values, 'fail-on');
    const gate = gateText === undefined ? undefined : parseGate(gateText);
    const listener = new Listener();
    const written: WrittenReport[] = [];
    const tools = await openTools({
      encoder: text(values, 'encoder'),
      ...{ signal, allow: allowing(false, signal) },
    });
    const check = async (dataset: string): Promise<WrittenReport> =>
      runBenchmark({
        ...{ ...shared, tools, dataset, out: text(values, 'out'), text: text(values, 'text') },
        against: repeated(values, 'against'),
        ...(reports === undefined ? {} : { reports, subset }),
        ...{ limit: wholeNumber(values, 'limit', 1), onEvent: (event) => listener.hear(event) },
      });
    let copy: Awaited<ReturnType<typeof writeCopy>> | undefined;
    try {
      if (copyTo !== undefined) copy = await writeCopy({ ...shared, ...copyTo, dataset: positionals[0] });
      for (const dataset of copy === undefined ? positionals : [positionals[0], copy.copy.path])
        written.push(await check(dataset));
    } finally {
      listener.done();
      await tools.close();
    }
    if (copy !== undefined) {
      const [before, after] = written;
      if (values.json === true) printJson({ ...copy, reports: written.map(({ report }) => report) });
      else showCopy(copy, [before, after]);
      return 0;
    }
    showReports(written, values);
    if (values.json !== true)
      for (const one of written)
        for (const part of [
          evaluatorTable(one.report.metrics),
          subsetTable(one.report.metrics),
          await suspectTable(one),
        ])
          if (part !== '') print(`\n${part}`);
    if (written.length > 1 && values.json !== true) print(`\n${together(written)}`);
    // All files have the same evaluator, so each is checked alone.
    const broken = written.filter(({ report }) => gate?.holds([report]));
    for (const { report } of broken) log(`gate failed for ${report.dataset.path}: ${gate!.text}`);
    return broken.length === 0 ? 0 : 1;
  },
};

/** The file for a subset, which is of one dataset. */
function subsetOf(values: Values, files: number): string | undefined {
  const named = ['subset', 'score'].find((name) => values[name] !== undefined);
  if (named !== undefined && repeated(values, 'reports').length === 0)
    throw usageError(`--${named} needs --reports.`, 'Add --reports with reports of audited evaluators.');
  const file = text(values, 'subset');
  if (file !== undefined && files > 1)
    throw usageError('--subset needs exactly one FILE.', 'Run the command for each FILE.');
  return file;
}

/** A table of the reports' metrics, with the mean over the items of all files. */
function together(written: readonly WrittenReport[]): string {
  const ids = new Set(written.flatMap(({ report }) => report.metrics.map(({ id }) => id)));
  const rows = [...ids].flatMap((id) => {
    const own = written.map(({ report }) => wholeMetric(report.metrics, id));
    const known = own.filter((metric) => metric !== undefined && metric.value !== null);
    if (id.endsWith('.p') || id.startsWith('benchmark.subset.') || known.length === 0) return [];
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
