/*
 * The reading process, which the extension host starts on first use. It answers requests about reports,
 * datasets, images and evaluators.
 */
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { scoreAgain } from '../audit/again';
import { submittedRun } from '../audit/shard/progress';
import { type AskOf, type CallContext, serving } from '../base/calls';
import { CaptiousError, throwIfCancelled, untilCancelled } from '../base/errors';
import { say } from '../base/say';
import { checkDataset, type Cut } from '../dataset/check';
import type { Dataset } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import { createImageFinder } from '../dataset/images/images';
import { inspectDataset } from '../dataset/inspect';
import { openDataset } from '../dataset/open';
import { readsAsFirst } from '../dataset/readsAs';
import { OpenEvaluators } from '../rows/openEvaluators';
import { markedBySpread } from '../probe/spread';
import { viewFor } from '../probe/views';
import { imageBase } from '../rows/imageBase';
import { Photos } from '../rows/images';
import { ReportPictures } from '../rows/pictures';
import { reportFiles, reportFilesReadOnly } from '../rows/rowFile';
import { Shelf, type ShelfRequest } from '../rows/shelf';
import { WhatIf } from '../rows/whatIf';
import { OutputFile } from '../report/output';
import { cutterOf } from '../evaluator/model/cut';
import type { ImageItem } from '../protocol/item';
import { probes } from '../probe/generated/probes';
import { resolveOptions } from '../probe/list';
import type { Probe } from '../probe/probe';
import { type CheckedFile, type DatasetPreview, readerRequests } from '../protocol/processes';
import type { Mark, RowAnswer, RowAsk } from '../protocol/rows';
import { reportsOn } from '../report/beside';
import { exportReport } from '../report/export/export';
import { speechIn } from '../report/export/speech';
import { readReport } from '../report/report';
import { LeftOutRows } from '../report/rowChecks';
import { tableLayouts } from '../report/paper/layouts/list';
import { boardOf, exportBoard } from './board';
import { comparison, pairs } from './comparing';
import { checkpointEntries, evaluatorEntries } from './evaluatorEntries';
import { writeForPaper } from './paper';
import { serveParent, whileAlive } from './serveParent';
import { tryEvaluator } from './tryEvaluator';

const largestSide = 1024;
const shelf = new Shelf(reportFiles);
const readOnlyShelf = new Shelf(reportFilesReadOnly);
const openEvaluators = new OpenEvaluators();
const whatIf = new WhatIf(openEvaluators);
const photos = new Photos();

type Asked<N extends keyof typeof readerRequests> = AskOf<typeof readerRequests, N>;

const serve = serving(readerRequests, {
  facets: onShelf('facets'),
  lines: onShelf('lines'),
  charts: onShelf('charts'),
  detail: onShelf('detail'),
  find: onShelf('find'),
  miss: onShelf('miss'),
  marks: onShelf('marks'),
  pairs: whileAlive(pairs),
  photo,
  whatIf: async (ask, { signal }) =>
    whatIf.answer(ask, await imageOf(ask), ask.home, ask.allowed.evaluators, signal, ask.allowed.python),
  look,
  evaluators: ({ home, folders }) => evaluatorEntries(home, folders),
  try: whileAlive(tryEvaluator),
  checkpoints: ({ files }) => checkpointEntries(files),
  export: whileAlive(writeExport),
  paper: whileAlive((ask: Asked<'paper'>, { signal }) => writeForPaper(ask, signal)),
  board: whileAlive(({ folder }: Asked<'board'>, { signal }) => boardOf(folder, signal)),
  writeBoard: whileAlive((ask: Asked<'writeBoard'>, { signal }) => exportBoard(ask, signal)),
  layouts: () => Promise.resolve(tableLayouts.map(({ id, probe, mirrors }) => ({ id, probe, mirrors }))),
  check: whileAlive(check),
  inspect: whileAlive(async ({ path, images }: Asked<'inspect'>, { signal }) =>
    JSON.stringify(await inspectDataset(path, { images, signal })),
  ),
  compare: whileAlive(async ({ report, other }: Asked<'compare'>, { signal }) =>
    JSON.stringify(await comparison([report, other], signal)),
  ),
  beside: whileAlive(({ dataset, reports }: Asked<'beside'>) => reportsOn(dataset, reports)),
  submitted: whileAlive(({ path }: Asked<'submitted'>) => submittedRun(path)),
  rescore: whileAlive(rescore),
});

function onShelf<N extends ShelfRequest>(name: N) {
  return (ask: RowAsk<N> & { trusted: boolean }, context: CallContext): Promise<RowAnswer<N>> =>
    (ask.trusted ? shelf : readOnlyShelf).answer(name, ask, context);
}

/** The image to score captions with. If it is undefined, captions are only compared with each other. */
async function imageOf({
  report,
  image: name,
  images,
  allowed,
}: Asked<'whatIf'>): Promise<ImageItem | undefined> {
  if (name === undefined) return undefined;
  const { dataset } = await readReport(report);
  const base = await imageBase(report, dataset.path, images, allowed);
  const source = base === undefined ? undefined : await photos.find(base, images, name);
  return source && { kind: 'image', source, transforms: [] };
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
): Promise<{ marks: Mark[]; leftOut: string[] }> {
  const report = await readReport(path);
  const { evaluator, bench } = await openEvaluators.of(
    report.evaluator,
    home,
    allowed.evaluators,
    allowed.python,
  );
  const { rows, leftOut } = await scoreAgain({ report, file, lines, evaluator, bench, images, signal });
  const view = markedBySpread(viewFor(report.probe).rows, report.spread);
  return {
    marks: rows.flatMap((row) => {
      const line = view.fileLine(row);
      return line === undefined || !lines.includes(line) ? [] : [{ line, ...view.mark(row) }];
    }),
    leftOut: leftOut.map(({ reason }) => reason),
  };
}

/** The number of examples that a preview reads. It is enough to show the form and the usual size of examples. */
const sample = 200;

/** A preview of a dataset file. Null if the file is not a valid dataset or contains no examples. */
async function look(
  { path, images, trusted }: Asked<'look'>,
  { signal, step }: CallContext,
): Promise<DatasetPreview | null> {
  const seen: Example[] = [];
  let dataset: Dataset;
  try {
    dataset = await openDataset(path, { signal });
    for await (const example of dataset.read({ signal })) {
      step();
      if (seen.push(example) === sample) break;
    }
  } catch (error) {
    if (error instanceof CaptiousError && error.kind === 'input') return null;
    throw error;
  }
  if (seen.length === 0) return null;
  const names = seen.flatMap(({ images: own }) =>
    own.filter(({ bytes }) => bytes === undefined).map(({ name }) => name),
  );
  // Only the names of the sample are known, because reading all names of a large file would take too long.
  const finder = createImageFinder({ dataset: { path, read: () => Readable.from(seen) }, folders: images });
  const found = trusted ? await Promise.all(names.map((name) => finder.find(name))) : [];
  const there = new Set(names.filter((_, i) => found[i]?.ok));
  const instead = found.flatMap((one) => (one.ok ? [] : (one.instead ?? []))).at(0);
  const preview: DatasetPreview = {
    format: dataset.format,
    readsAs: readsAsFirst({ title: dataset.title, form: dataset.form }, seen),
    probes: probes
      .filter((probe) => seen.some((example) => fits(probe, example, () => true)))
      .map((probe) => {
        const { id, title, question, options } = probe;
        const natural = probe.madeFor.includes(dataset.form);
        const ready = seen.some((example) => fits(probe, example, (name) => there.has(name)));
        const scores = allScores.filter((one) =>
          seen.some((example) => fits(probe, example, () => true, [one])),
        );
        return {
          id,
          title,
          question,
          natural,
          ready,
          scores,
          options: options.map((each) => ({ ...each, choices: each.choices && [...each.choices] })),
        };
      }),
    photos: names.length,
    photosFound: found.filter(({ ok }) => ok).length,
    ...(instead === undefined ? {} : { instead }),
  };
  const end = seen.at(-1)?.place;
  if (seen.length < sample) preview.examples = seen.length;
  else if (end)
    preview.examples = Math.round((seen.length * (await stat(path)).size) / (end.offset + end.length));
  return preview;
}

const allScores = ['text-text', 'image-text', 'image-image'] as const;

/**
 * Whether a probe can use an example with an evaluator that computes `scores`. `isThere` says which images
 * exist.
 */
function fits(
  probe: Probe,
  example: Example,
  isThere: (name: string) => boolean,
  scores: readonly (typeof allScores)[number][] = allScores,
): boolean {
  const options = resolveOptions(probe, {});
  const image = (index: number): ImageItem | undefined => {
    const ref = example.images.at(index);
    if (ref === undefined) return undefined;
    const { name, bytes } = ref;
    if (bytes === undefined && !isThere(name)) return undefined;
    return { kind: 'image', source: { name, path: name }, transforms: [] };
  };
  // `prepare` may read large files, so it is not called. A probe with `prepare` is offered for every example with
  // an image.
  if (probe.prepare !== undefined) return image(0) !== undefined;
  return probe.refuse(example, { dataset: '', seed: 0, options, scores, image }) === undefined;
}

/** Writes a report in another format. Images need a trusted workspace. */
async function writeExport(
  { report, form, target, images, trusted, allowed, translation }: Asked<'export'>,
  { signal }: CallContext,
): Promise<object> {
  const pictures = trusted ? new ReportPictures(() => images, allowed) : undefined;
  const speech = translation && speechIn(translation);
  try {
    const parts = { pictures, ...(speech && { speech }) };
    return await exportTo(
      target,
      untilCancelled(exportReport(report, form, new LeftOutRows(), parts), signal),
    );
  } finally {
    await pictures?.close();
  }
}

async function exportTo(target: string, parts: AsyncIterable<string | Uint8Array>): Promise<object> {
  const file = await OutputFile.create(target);
  try {
    for await (const part of parts) await file.write(part);
    await file.finish();
    return {};
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function photo(
  { report, name, side, changed, images, allowed }: Asked<'photo'>,
  context: CallContext,
): Promise<Uint8Array> {
  const { dataset } = await readReport(report);
  const base = await imageBase(report, dataset.path, images, allowed);
  if (base === undefined)
    throw new CaptiousError(
      'input',
      say`This report and its dataset are outside the workspace, so Captious does not search the image folders that the report names.`,
      {
        at: report,
        remedy: say`Add the image folder to the setting captious.imageFolders, or open the folder of the dataset.`,
      },
    );
  const transforms = changed === undefined ? undefined : await shelf.transforms(report, changed, context);
  throwIfCancelled(context.signal);
  return photos.small(base, images, name, Math.min(side, largestSide), transforms);
}

serveParent(serve, () => openEvaluators.close());
