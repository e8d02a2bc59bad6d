import { captionMetrics, type CaptionMetrics, type ImageMetric } from '../../audit/captions/captionMetrics';
import type { CaptionMetric, SystemScore } from '../../audit/captions/captionSummary';
import { type CaptiousError, inputError, usageError } from '../../base/errors';
import { homeFolder, storeFolder } from '../../base/files/home';
import { createBench } from '../../bench/createBench';
import { type OverlapMetric, overlapMetrics } from '../../evaluator/overlap/overlap';
import { readReferences } from '../../evaluator/overlap/references';
import { endsOf, figure } from '../../report/figures';
import { leastImages } from '../../stats/decisions/smallSample';
import { type Command, list, text, wholeNumber } from '../arguments';
import { images, python, yes } from '../options';
import { logPartly } from '../shownImages';
import { log, print, printJson, table } from '../terminal';
import { imageFolders } from '../datasetRequest';

export const metricsCommand: Command = {
  name: 'metrics',
  summary: 'score a caption file against references and images, or compare two caption files',
  usage: ['metrics CANDIDATES [OTHER] --references REFS --evaluator E[,E…]'],
  operands: {
    CANDIDATES: 'captions: COCO results, a JSON object with the captions of each image, or a dataset file',
    OTHER: 'captions of another system for the same images',
  },
  options: {
    references: {
      value: 'REFS',
      describe: 'reference captions: COCO annotations, or a file like CANDIDATES',
    },
    evaluator: {
      value: 'E',
      multiple: true,
      describe: `a metric of reference captions (${overlapMetrics.join(', ')}, refclipscore:ENCODER or refpac-s:ENCODER), or any other evaluator, such as clipscore:starter`,
    },
    corpus: {
      value: 'FILE',
      describe: 'captions in which cider counts document frequencies (default: the references)',
    },
    'all-captions': {
      describe:
        'score all captions of an image (such as the candidates of a captioner), and not only the first. A metric is the mean over all captions, and images are its observations. Not with OTHER',
    },
    images,
    seed: { value: 'N', describe: 'seed of the comparison of two systems (default 2025)' },
    python,
    yes,
    json: { describe: 'print the result as one JSON value, with the scores of every caption' },
  },
  examples: [
    'metrics mine.json --references samples/captions.json --evaluator bleu-4,cider',
    'metrics samples/captions.json --all-captions --evaluator clipscore:starter --images samples/images',
    'metrics mine.json theirs.json --references samples/captions.json --evaluator cider,refclipscore:starter --images samples/images',
  ],

  async run({ positionals, values, signal }) {
    const ids = list(values, 'evaluator');
    const references = text(values, 'references');
    const all = values['all-captions'] === true;
    if (all && positionals.length === 2)
      throw usage('--all-captions needs a single file.', 'Score each file alone.');
    if (positionals.length < 1 || positionals.length > 2 || ids.length === 0)
      throw usage('One or two caption files and an evaluator are needed.');
    const overlap = overlapMetrics.filter((metric) => ids.includes(metric));
    const needing = ids.find((id) => isOverlap(id) || id.startsWith('ref'));
    if (references === undefined && needing !== undefined)
      throw usage(
        `${needing} compares captions with references.`,
        'Specify their file with --references REFS.',
      );
    const home = homeFolder();
    const bench = createBench({ store: storeFolder(home), onWarning: log });
    const ofImages: ImageMetric[] = [];
    try {
      for (const id of ids.filter((own) => !isOverlap(own))) {
        // This module is imported only if it is needed, because loading takes longer than computing some metrics.
        const { openFor } = await import('../consent');
        ofImages.push({
          id,
          evaluator: await openFor({ values, signal }, id, {
            home,
            ...(references === undefined ? {} : { references: () => readReferences(references, signal) }),
          }),
        });
      }
      const result = await captionMetrics({
        candidates: positionals,
        references,
        all,
        corpus: text(values, 'corpus'),
        overlap,
        ofImages,
        images: imageFolders(values),
        bench,
        seed: wholeNumber(values, 'seed') ?? 2025,
        signal,
      });
      logPartly(result.partly);
      if (values.json === true) printJson({ ...result, leftOut: Object.fromEntries(result.leftOut) });
      else show(result, positionals);
      if (result.metrics.every(({ n }) => n === 0)) throw nothingScored(result, positionals[0]);
      return 0;
    } finally {
      await bench.close();
      await Promise.all(ofImages.map(({ evaluator }) => evaluator.close()));
    }
  },
};

function isOverlap(id: string): id is OverlapMetric {
  return overlapMetrics.some((metric) => metric === id);
}

function usage(message: string, remedy = 'See: captious metrics --help'): CaptiousError {
  return usageError(message, remedy);
}

function nothingScored({ leftOut }: CaptionMetrics, at: string): CaptiousError {
  const most = [...leftOut].sort(([, a], [, b]) => b - a).at(0);
  return inputError(
    `No caption has a score${most === undefined ? '' : `; left out, ${most[1]}: ${most[0]}`}.`,
    'Check that captions, references and images have the same names.',
    at,
  );
}

function show({ metrics, leftOut }: CaptionMetrics, files: readonly string[]): void {
  const two = files.length === 2;
  const header = two ? ['metric', 'n', 'A', 'B', 'A − B', 'p'] : ['metric', 'n', 'score', '95 % interval'];
  print(table(header, metrics.map(two ? comparison : alone)));
  if (two) print(`\nA: ${files[0]}\nB: ${files[1]}`);
  const captions = metrics.find((one) => one.captions !== undefined)?.captions;
  if (captions !== undefined) log(`note: n counts images, which have ${captions} captions.`);
  for (const [reason, n] of leftOut) log(`left out: ${n} × ${reason}`);
  if (metrics.some(({ n }) => n < leastImages))
    log(`note: Intervals and p values of fewer than ${leastImages} images are not reliable.`);
}

function alone({ id, n, systems }: CaptionMetric): string[] {
  return [id, String(n), figure(systems[0].value), interval(systems[0])];
}

function comparison({ id, n, systems, difference }: CaptionMetric): string[] {
  const apart = difference === undefined ? '' : `${figure(difference.value)} ${interval(difference)}`.trim();
  const p = difference?.p ?? NaN;
  return [
    id,
    String(n),
    figure(systems[0].value),
    figure(systems[1].value),
    apart,
    p < 0.001 ? '< 0.001' : p.toFixed(3),
  ];
}

function interval({ ci }: SystemScore): string {
  return ci === undefined ? '' : endsOf(ci);
}
