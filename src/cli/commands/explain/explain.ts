import { resolve } from 'node:path';
import { findCaption } from '../../../audit/explain/find';
import { type ExplainRequest, FileExplainer, type WhatToExplain } from '../../../audit/explain/explainFile';
import { pairsOf, type WorstPair } from '../../../audit/explain/worst';
import { usageError } from '../../../base/errors';
import { jpegSize } from '../../../dataset/images/jpegSize';
import { Thumbnails } from '../../../evaluator/native/thumbnails';
import { frugal, mostPairs, usualOptions } from '../../../explain/explain';
import { mostObjects } from '../../../explain/objects';
import {
  explanationPage,
  explanationPdf,
  explanationSvg,
  explanationTex,
  type Shown,
} from '../../../report/explanation/page';
import { writeWhole } from '../../../report/output';
import { readReport, type Report } from '../../../report/report';
import { reportFilesReadOnly } from '../../../service/rows/rowFile';
import { Shelf } from '../../../service/rows/shelf';
import { allowing } from '../../consent';
import {
  type Call,
  type Command,
  needed,
  onePositional,
  text,
  type Values,
  wholeNumber,
} from '../../arguments';
import { datasetOperand, images, map, python, splitOptions, yes } from '../../options';
import { log, print, printJson } from '../../terminal';
import { logWords, printExplained } from './printed';
import { objectsOf, optionsOf, targetOf, type To, wantedOf } from './order';
import { imageFolders, fieldsOf } from '../../datasetRequest';

/** The longer side of an image on a page, in pixels. */
const side = 480;

export const explainCommand: Command = {
  name: 'explain',
  summary: 'show which words of a caption and which regions of its image decide a score',
  usage: ['explain FILE --line N|--id ID --evaluator E', 'explain REPORT --worst N [--evaluator E]'],
  operands: { FILE: datasetOperand, REPORT: 'a *.report.json file. Its evaluator and its dataset are used' },
  options: {
    ...splitOptions,
    line: {
      value: 'N',
      describe: 'the line of a caption, or of its example, in the file. FILE:N in a dataset of several files',
    },
    id: { value: 'ID', describe: 'the id of an example' },
    caption: {
      value: 'K',
      describe: 'the number of the caption in its example (default: the one at the line, else the first)',
    },
    evaluator: { value: 'E', describe: 'the evaluator whose score is explained, as in an audit' },
    images,
    against: {
      value: 'TEXT',
      describe:
        'compare the caption with this text instead of its image. Without images, the default is another caption of the image',
    },
    other: {
      value: 'TEXT',
      describe:
        'a second caption, such as a flip: also show which changed word carries the difference of the scores',
    },
    method: {
      value: 'M',
      describe:
        'shapley (default): what each word adds to the score on average. leave-one-out: what the score loses without it; the default for evaluators whose requests may cost money',
    },
    units: {
      value: 'U',
      describe: 'words (default), or phrases: English noun phrases such as "a red bus" count as one',
    },
    permutations: {
      value: 'N',
      describe: 'how many orders of the words are sampled if there are more than 10 (default 32)',
    },
    grid: { value: 'RxC', describe: 'rows and columns of the regions, 4 to 14 each (default 7x7), or none' },
    regions: {
      value: 'R',
      describe:
        'grid (default), or objects: hide each outlined object of the image instead. Their file is in the format of COCO or Open Images, as for the invariance probe',
    },
    instances: {
      value: 'FILE',
      describe: 'with --regions objects: the file of objects (default: instances.json next to the dataset)',
    },
    fill: {
      value: 'F',
      describe:
        'what hides a region or an object: grey (default), mean (the mean colour of the image), blur or black',
    },
    table: {
      describe:
        'also score each word with each region or object hidden. Encoders do this without the option, because it costs them little',
    },
    worst: { value: 'N', describe: 'with REPORT: explain its N worst rows' },
    references: { value: 'FILE', describe: 'reference captions, for evaluators such as cider' },
    seed: { value: 'N', describe: 'seed of the sampled orders (default 42)' },
    map,
    python,
    yes,
    to: {
      value: 'FORMAT',
      describe:
        'html, svg, json or tex, to standard output or to the file of --out, or pdf, which needs --out',
    },
    out: { value: 'FILE', describe: 'the file to write' },
    json: { describe: 'print the result as one JSON value, as --to json' },
  },
  notes: [
    'The influences of Shapley values sum to the score minus the score of a caption without words. docs/explain.md explains the methods and the JSON.',
  ],
  examples: [
    'explain samples/captions.jsonl --images samples/images --line 4 --evaluator starter',
    'explain reports/lgip.starter.report.json --worst 20 --grid none --to html --out worst.html',
  ],

  async run(call) {
    const { values } = call;
    const given = onePositional(call, 'explain', 'A dataset or a report');
    const to = targetOf(values);
    const worst = wholeNumber(values, 'worst', 1);
    const all = worst === undefined ? await one(given, call, to) : await ofReport(given, worst, call, to);
    if (to === 'json') {
      const found = all.map(({ explained }) => explained);
      const value = worst === undefined ? found[0] : found;
      const out = text(values, 'out');
      if (out === undefined) printJson(value);
      else await writeTo(out, `${JSON.stringify(value, null, 1)}\n`);
    } else if (to === undefined) {
      for (const { explained } of all) printExplained(explained);
    } else await write(all, to, text(values, 'out'), given);
    return 0;
  },
};

/** Explains the caption that --line or --id names. */
async function one(dataset: string, call: Call, to: string | undefined): Promise<Shown[]> {
  const { values, signal } = call;
  const wanted = wantedOf(values);
  const evaluator = needed(
    values,
    'evaluator',
    'Add an evaluator, for example --evaluator starter. "captious evaluators" lists all evaluators.',
  );
  const place = { map: fieldsOf(values), signal };
  const found = await findCaption(resolve(dataset), wanted, place);
  const other = text(values, 'other');
  const pair = { found, ...(other === undefined ? {} : { other }) };
  return explainAll([pair], { ...requestOf(dataset, evaluator, values, signal), map: place.map }, values, to);
}

/** Explains the worst rows of a report with its evaluator. */
async function ofReport(path: string, count: number, call: Call, to: string | undefined): Promise<Shown[]> {
  const { values, signal } = call;
  for (const key of ['line', 'id', 'caption', 'other', 'against'])
    if (values[key] !== undefined)
      throw usageError(
        `--worst and --${key} cannot be combined.`,
        'The rows of the report say which captions are explained.',
      );
  const report = await readReport(path);
  const shelf = new Shelf(reportFilesReadOnly);
  const selection = { text: '', facets: {}, sort: 'worst' as const };
  const { lines } = await shelf.answer(
    'lines',
    { report: path, selection, offset: 0, limit: count },
    { signal },
  );
  const pairs = await pairsOf(report.dataset.path, lines, signal);
  const evaluator = text(values, 'evaluator') ?? evaluatorOf(report);
  const request = requestOf(report.dataset.path, evaluator, values, signal);
  return explainAll(pairs, request, values, to, report.evaluator.sha256);
}

function evaluatorOf({ evaluator: { id, path } }: Report): string {
  return path === undefined || id.includes(':') ? id : path;
}

function requestOf(dataset: string, evaluator: string, values: Values, signal: AbortSignal): ExplainRequest {
  return {
    ...{ dataset, evaluator, signal, images: imageFolders(values) },
    references: text(values, 'references'),
    python: { asked: text(values, 'python') },
  };
}

async function explainAll(
  pairs: readonly WorstPair[],
  request: ExplainRequest,
  values: Values,
  to: string | undefined,
  sha256?: string,
): Promise<Shown[]> {
  const { signal } = request;
  const options = optionsOf(values);
  const against = text(values, 'against');
  const objects = objectsOf(values);
  const dearest = { ...usualOptions, ...frugal, grid: undefined, table: false, ...options };
  const parts = objects === undefined ? undefined : mostObjects;
  const calls = pairs.reduce((sum, { found }) => sum + mostPairs(found.caption.text, dearest, parts), 0);
  const explainer = await FileExplainer.open({
    ...request,
    allow: allowing(values.yes === true, signal, calls),
  });
  const thumbnails = new Thumbnails();
  const onWords = to === undefined ? logWords : undefined;
  const all: Shown[] = [];
  try {
    if (sha256 !== undefined && sha256 !== explainer.evaluator.info.sha256)
      log('note: the evaluator differs from the one of the report, so scores may differ, too.');
    for (const { found, other } of pairs) {
      const what: WhatToExplain = { against, other, objects, options, onWords };
      const explained = await explainer.explain(found, what);
      const image =
        to === 'html' || to === 'svg' || to === 'pdf'
          ? await explainer.imageOf(found.example, found.caption)
          : undefined;
      const isShown = image !== undefined && (explained.regions ?? explained.objects) !== undefined;
      const bytes = isShown ? await thumbnails.make({ ...image, side }) : undefined;
      const size = bytes && jpegSize(bytes);
      all.push({ explained, ...(bytes && size ? { image: { type: 'image/jpeg', bytes, ...size } } : {}) });
    }
  } finally {
    await thumbnails.close();
    await explainer.close();
  }
  return all;
}

async function write(
  all: readonly Shown[],
  to: Exclude<To, 'json'>,
  out: string | undefined,
  given: string,
): Promise<void> {
  if ((to === 'svg' || to === 'pdf') && all.length > 1)
    throw usageError('A figure shows one caption.', 'Use --to html, or --worst 1.');
  if (to === 'pdf') {
    if (out === undefined) throw usageError('--to pdf needs a file.', 'Add --out why.pdf.');
    return writeTo(out, await explanationPdf(all[0]));
  }
  const title = all.length === 1 ? 'Why this score?' : `Why these scores? The ${all.length} worst rows`;
  const content =
    to === 'html'
      ? explanationPage(title, all, all.length === 1 ? [] : [given])
      : to === 'svg'
        ? explanationSvg(all[0])
        : all.map(explanationTex).join('\n');
  if (out === undefined) print(content.trimEnd());
  else await writeTo(out, content);
}

async function writeTo(out: string, content: string | Uint8Array): Promise<void> {
  await writeWhole(out, content);
  log(`wrote ${out}`);
}
