/*
 * The reading process, which the extension host starts on first use. It answers requests about reports,
 * datasets, images and evaluators, also those of the triplet workshop and the human check.
 */
import { Readable } from 'node:stream';
import { joinedDraws } from '../probe/inference/joinedDraws';
import type { Row } from '../probe/metric';
import { createHash } from 'node:crypto';
import { drawReport } from '../sessions/drawReport';
import { mine, wayFor } from '../mining/mine';
import type { ImagePlace } from '../protocol/session';
import { variantRows } from '../report/variantRows';
import { chunksOf } from '../base/files/readFile';
import { scoreAgain } from '../audit/again';
import { submittedRun } from '../audit/shard/progress';
import { type AskOf, type CallContext, serving } from '../base/calls';
import { inputError, throwIfCancelled, untilCancelled } from '../base/errors';
import { say, type Words } from '../base/say';
import { checkDataset, type Cut } from '../dataset/check';
import { importLog } from '../audit/imported/run';
import { inspectBenchmark } from '../audit/benchmark/inspection';
import { openDataset } from '../dataset/open';
import { OpenEvaluators } from './openEvaluators';
import { markedBySpread } from '../probe/spread';
import { viewFor } from '../probe/views';
import { imageBase } from './images/imageBase';
import { Images } from './images/images';
import { ReportImages } from './images/reportImages';
import { reportFiles, reportFilesReadOnly } from './rows/rowFile';
import { Shelf, type ShelfRequest } from './rows/shelf';
import { WhatIf } from './whatIf';
import { writePieces, writeWhole } from '../report/output';
import { cutterOf } from '../evaluator/model/cut';
import type { ImageItem } from '../protocol/item';
import { type CheckedFile, readerRequests } from '../protocol/service';
import type { Mark, RowAnswer, RowAsk } from '../protocol/rows';
import { reportsOn } from '../report/beside';
import { exportReport, exportRun } from '../report/export/export';
import type { PageParts } from '../report/export/html';
import { speechIn } from '../report/export/speech';
import { readReport } from '../report/report';
import { LeftOutRows } from '../report/rowChecks';
import { tableLayouts } from '../report/paper/layouts/list';
import { experimentLayout } from './experimentLayout';
import { datasetPreview } from './datasetPreview';
import { readTexts } from './workshop';
import { boardOf, exportBoard } from './board';
import { scatterFile, scatterOf } from './scatter';
import { Browse } from './browse/browse';
import { trendsOf } from './trends';
import { comparison, pairs } from './comparing';
import { checkpointEntries, evaluatorEntries } from './evaluatorEntries';
import { judgedParts } from './judging/export';
import { judgedIn } from './judging/judged';
import { judgeLine } from './judging/judge';
import { withJudgments } from './judging/lines';
import { explainLine, type SeenImage, why, wordInfluence } from './explaining';
import { bestOf, universal } from './exploiting';
import { Fooling } from './fooling';
import { writeForPaper } from './paper';
import { serveParent, whileAlive } from './serveParent';
import { tryEvaluator } from './tryEvaluator';

const largestSide = 1024;
/** The longer side of the image in a figure, in pixels. */
const figureSide = 480;
const shelf = new Shelf(reportFiles);
const readOnlyShelf = new Shelf(reportFilesReadOnly);
const openEvaluators = new OpenEvaluators();
const sessionEvaluators = new OpenEvaluators();
const whatIf = new WhatIf(openEvaluators);
const fooling = new Fooling(openEvaluators);
const imageReader = new Images();
const browse = new Browse(imageReader);

type Asked<N extends keyof typeof readerRequests> = AskOf<typeof readerRequests, N>;

const serve = serving(readerRequests, {
  facets: onShelf('facets'),
  lines: async (ask, context) => {
    const answer = await shelfOf(ask).answer('lines', ask, context);
    return { ...answer, lines: await withJudgments(ask.report, answer.lines, shelfOf(ask), context) };
  },
  charts: onShelf('charts'),
  detail: onShelf('detail'),
  find: onShelf('find'),
  miss: onShelf('miss'),
  marks: onShelf('marks'),
  pairs: whileAlive(pairs),
  universal: whileAlive(universal),
  bestOf: whileAlive(bestOf),
  judge: (ask: Asked<'judge'>, context: CallContext) => judgeLine(ask, shelfOf(ask), context),
  judged: whileAlive(({ report }: Asked<'judged'>, { signal }) => judgedIn(report, signal)),
  image,
  whatIf: async (ask, { signal }) =>
    whatIf.answer(ask, await imageOf(ask), ask.home, ask.allowed.evaluators, signal, ask.allowed.python),
  look: datasetPreview,
  datasetHead: (ask, context) => browse.head(ask, context),
  datasetLines: (ask, context) => browse.lines(ask, context),
  datasetExample: (ask, context) => browse.example(ask, context),
  datasetFind: (ask, context) => browse.find(ask, context),
  datasetImage: (ask, context) => browse.image(ask, context),
  evaluators: ({ home, folders }) => evaluatorEntries(home, folders),
  try: whileAlive(tryEvaluator),
  checkpoints: ({ files }) => checkpointEntries(files),
  export: whileAlive(writeExport),
  import: whileAlive(async (ask: Asked<'import'>, { signal }) => ({
    report: (await importLog({ ...ask, signal })).path,
  })),
  paper: whileAlive((ask: Asked<'paper'>, { signal }) => writeForPaper(ask, signal)),
  board: whileAlive(({ from }: Asked<'board'>, { signal }) => boardOf(from, signal)),
  trends: whileAlive(({ from, metrics }: Asked<'trends'>, { signal }) => trendsOf(from, signal, metrics)),
  scatter: whileAlive((ask: Asked<'scatter'>) => scatterOf(ask)),
  scatterFile: whileAlive((ask: Asked<'scatterFile'>) => scatterFile(ask)),
  writeBoard: whileAlive((ask: Asked<'writeBoard'>, { signal }) => exportBoard(ask, signal)),
  experiment: ({ path, text, home }) => experimentLayout(path, text, home),
  layouts: () => Promise.resolve(tableLayouts.map(({ id, probe, mirrors }) => ({ id, probe, mirrors }))),
  check: whileAlive(check),
  inspect: whileAlive(async ({ path, images }: Asked<'inspect'>, { signal }) =>
    JSON.stringify(await inspectBenchmark(path, { images, signal })),
  ),
  explain: whileAlive(explainLine),
  compare: whileAlive(async ({ report, other }: Asked<'compare'>, { signal }) =>
    JSON.stringify(await comparison([report, other], signal)),
  ),
  beside: whileAlive(({ dataset, reports }: Asked<'beside'>) => reportsOn(dataset, reports)),
  submitted: whileAlive(({ path }: Asked<'submitted'>) => submittedRun(path)),
  rescore: whileAlive(rescore),
  wordInfluence: whileAlive(async (ask: Asked<'wordInfluence'>, context) =>
    wordInfluence(ask, await imageOf(ask), openEvaluators, context),
  ),
  why: whileAlive(async (ask: Asked<'why'>, context) => {
    const { image: name, crop } = ask;
    const small = () => image({ ...ask, name: name ?? '', side: figureSide, changed: crop }, context);
    return why(ask, await seenBy(ask, context), small, openEvaluators, context);
  }),
  fool: whileAlive(async (ask: Asked<'fool'>, context) => {
    const captions = await shelf.captionsOf(ask.report, ask.index, context);
    return fooling.answer(ask, { ...(await seenBy(ask, context)), captions }, context);
  }),
  mine: whileAlive(async ({ dataset: path, seed, limit }: Asked<'mine'>, { signal }) => {
    const dataset = await openDataset(path, { signal });
    const how = wayFor(dataset);
    const { halves } = await mine(dataset, how, { seed, limit, signal });
    return { how, sha256: await sha256(path, signal), halves };
  }),
  read: whileAlive(async (ask: Asked<'read'>, context) =>
    readTexts(ask, await itemOf(ask.image), sessionEvaluators, context),
  ),
  sessionImage: async ({ image: place, side, transforms }) => {
    const { dataset, images, name } = place;
    if ((await imageReader.find(dataset, images, name)) === undefined) return {};
    return { bytes: await imageReader.small(dataset, images, name, Math.min(side, largestSide), transforms) };
  },
  sample: whileAlive(async ({ report: path, perFamily, seed }: Asked<'sample'>, { signal }) => {
    const from = await variantRows(path, signal);
    const drawn = await drawReport(from, { perFamily, quotas: {}, seed });
    const { dataset, rowsSha256 } = from.report;
    return { ...drawn, probe: from.probe, dataset: dataset.path, rowsSha256 };
  }),
});

function onShelf<N extends ShelfRequest>(name: N) {
  return (ask: RowAsk<N> & { trusted: boolean }, context: CallContext): Promise<RowAnswer<N>> =>
    shelfOf(ask).answer(name, ask, context);
}

function shelfOf({ trusted }: { trusted: boolean }): Shelf {
  return trusted ? shelf : readOnlyShelf;
}

/** The image to score captions with. If it is undefined, captions are only compared with each other. */
async function imageOf(ask: AboutImage): Promise<ImageItem | undefined> {
  return itemOf(await placeOf(ask));
}

type AboutImage = Pick<Asked<'whatIf'>, 'report' | 'image' | 'images' | 'allowed'>;

async function placeOf({
  report,
  image: name,
  images,
  allowed,
}: AboutImage): Promise<ImagePlace | undefined> {
  if (name === undefined) return undefined;
  const { dataset } = await readReport(report);
  const base = await imageBase(report, dataset.path, images, allowed);
  return base === undefined ? undefined : { dataset: base, images: [...images], name };
}

/** The image as it was scored, and where its dataset is. */
async function seenBy(
  ask: AboutImage & Pick<Asked<'why'>, 'crop'>,
  context: CallContext,
): Promise<SeenImage> {
  const { report, crop } = ask;
  const place = await placeOf(ask);
  const image = await itemOf(place);
  const transforms = crop === undefined ? [] : await shelf.transforms(report, crop, context);
  return { image: image && { ...image, transforms }, dataset: place?.dataset };
}

async function itemOf(place: ImagePlace | undefined): Promise<ImageItem | undefined> {
  const source = place && (await imageReader.find(place.dataset, place.images, place.name));
  return source && { kind: 'image', source, transforms: [] };
}

async function sha256(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of untilCancelled(chunksOf(path), signal)) hash.update(chunk);
  return hash.digest('hex');
}

/** A check stops after this many milliseconds, so a large file may be checked only in part. */
const checkMs = 20_000;

async function check(
  { path, images, home, evaluator, trusted }: Asked<'check'>,
  { signal }: CallContext,
): Promise<CheckedFile> {
  // If the evaluator cannot be read (its folder may have moved), truncation is unknown. Other checks still work.
  const cutter =
    evaluator === undefined || !trusted ? undefined : await cutterOf(evaluator, home).catch(() => undefined);
  const cut: Cut = async (text, own) => cutter?.cut(text, own).catch(() => undefined);
  try {
    const checked = await checkDataset(path, {
      images: trusted ? images : undefined,
      cut,
      signal: AbortSignal.any([signal, AbortSignal.timeout(checkMs)]),
    });
    throwIfCancelled(signal);
    return checked;
  } finally {
    await cutter?.close();
  }
}

async function rescore(
  { report: path, file, lines, images, home, allowed }: Asked<'rescore'>,
  { signal }: CallContext,
): Promise<{ marks: Mark[]; leftOut: Words[] }> {
  const report = await readReport(path);
  const { evaluator, bench } = await openEvaluators.of(
    report.evaluator,
    home,
    allowed.evaluators,
    allowed.python,
  );
  const { rows, leftOut } = await scoreAgain({ report, file, lines, evaluator, bench, images, signal });
  const view = markedBySpread(viewFor(report.probe).rows, report.spread);
  const joined: Row[] = [];
  for await (const row of joinedDraws(view, Readable.from(rows) as AsyncIterable<Row>)) joined.push(row);
  return {
    marks: joined.flatMap((row) => {
      const line = view.fileLine(row);
      return line === undefined || !lines.includes(line) ? [] : [{ line, ...view.mark(row) }];
    }),
    leftOut: leftOut.map(({ reason }) => reason),
  };
}

/** Writes a report in another format. Images need a trusted workspace. */
async function writeExport(
  { report, others = [], form, target, images, trusted, allowed, translation }: Asked<'export'>,
  { signal }: CallContext,
): Promise<object> {
  // Other forms have images only if the user asks for them.
  const found = trusted && form === 'html' ? new ReportImages(() => images, allowed) : undefined;
  const speech = translation && speechIn(translation);
  try {
    const page: PageParts = { images: found, ...(speech && { speech }) };
    const judgedOf = (path: string) => judgedParts(path, signal);
    if (others.length > 0) await writeWhole(target, await exportRun([report, ...others], page, judgedOf));
    else {
      const parts: PageParts = { ...page, judged: await judgedOf(report) };
      await writePieces(target, untilCancelled(exportReport(report, form, new LeftOutRows(), parts), signal));
    }
    return {};
  } finally {
    await found?.close();
  }
}

async function image(
  { report, name, side, changed, images, allowed }: Asked<'image'>,
  context: CallContext,
): Promise<Uint8Array> {
  const { dataset } = await readReport(report);
  const base = await imageBase(report, dataset.path, images, allowed);
  if (base === undefined)
    throw inputError(say('service.reportOutsideWorkspace'), say('editor.addImageFolderSetting'), report);
  const transforms = changed === undefined ? undefined : await shelf.transforms(report, changed, context);
  throwIfCancelled(context.signal);
  return imageReader.small(base, images, name, Math.min(side, largestSide), transforms);
}

serveParent(serve, async () => {
  await Promise.all([openEvaluators.close(), sessionEvaluators.close()]);
});
