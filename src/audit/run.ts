import { append } from '../base/lists';
import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { askConsent } from './consent';
import { openOne } from './evaluators/open';
import { usableByProbe, isOfEvaluator } from './evaluators/usable';
import type { AuditEvent } from './events';
import { whileOneWorks, withoutBroken } from './matrix/failing';
import { ofCell, ProbeCells } from './matrix/matrix';
import { defaultSeed, prepareFolder } from './output/folder';
import { ExactEvaluators, requireExact } from './precision/exact';
import type { DrawRequest } from './spread/draw';
import { Repeats } from './spread/repeat';
import { type Job, runProbe } from './probeRun';
import type { AuditRequest } from './request';
import { ProgressMeter } from './progress';
import { ImageDigests } from './resume/imageDigests';
import { foldImages, type ImageFold, imagesOf } from './output/imageFold';
import { digestWith, readsImages } from './shard/imageList';
import { CaptiousError, evaluatorError, interruptedError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { fileNameWithCase } from '../base/files/fileName';
import { homeFolder, storeFolder } from '../base/files/home';
import { say, together } from '../base/say';
import { createBench } from '../bench/createBench';
import type { Dataset } from '../dataset/dataset';
import { createImageFinder } from '../dataset/images/images';
import { openDataset } from '../dataset/open';
import { datasetHash, datasetSize } from '../dataset/parts/hash';
import type { Evaluator } from '../evaluator/evaluator';
import { probeNamed, resolveOptions } from '../probe/list';
import type { Probe } from '../probe/probe';
import type { WrittenReport } from './output/writtenReport';

/** Runs every requested probe with every evaluator on one dataset. Writes one report per probe and evaluator. */
export async function runAudit(request: AuditRequest): Promise<WrittenReport[]> {
  const home = request.home ?? homeFolder();
  const onEvent = request.onEvent ?? (() => undefined);
  const path = resolve(request.dataset);
  const probes = [...new Set(request.probes)].map(probeNamed);
  for (const id of Object.keys(request.options ?? {})) probeNamed(id);
  const options = new Map(
    probes.map((probe) => [probe, resolveOptions(probe, request.options?.[probe.id] ?? {})]),
  );
  const fingerprints = new Fingerprints(storeFolder(home));
  const dataset = await openDataset(path, { map: request.map, signal: request.signal });
  const out = request.out ?? runFolder(home, path);
  // A run without cells to make leaves the folder alone.
  let prepared = request.matrix === undefined ? prepare(out, onEvent) : undefined;
  await prepared;

  const [evaluators, refs] = [[] as Evaluator[], new Map<Evaluator, string>()];
  const spreads: Job['spreads'] = new Map();
  const meter = new ProgressMeter(await datasetSize(path), request.limit);
  const store = storeFolder(home);
  const { batchSize } = request;
  const digests = new ImageDigests(fingerprints);
  const images = imagesFor(request, dataset, digests);
  const bench = createBench({
    store,
    batchSize,
    digests,
    onProgress: (progress) => meter.bench(progress),
    onWarning: (message) => onEvent({ type: 'notice', message }),
  });
  const exact = exactFor(request, home, refs);
  try {
    const broken = await openAll(evaluators, home, { ...request, onEvent }, refs);
    if (request.matrix === undefined)
      for (const { info, consent } of evaluators) await askConsent(request, consent, info.scores);
    if (request.confirm === true) await requireExact(probes, evaluators, exact);
    const usable = await usableCells({ ...request, dataset, onEvent }, options, evaluators, refs, broken);
    const working = [...evaluators];
    const repeats =
      request.spread === false ? undefined : new Repeats(drawOf(request, dataset), { store, batchSize });
    const written: WrittenReport[] = [];
    for (const probe of probes) {
      const all: Job = {
        ...{ request, probe, dataset, bench, out, meter, onEvent, spreads, repeats, exact },
        options: options.get(probe)!,
        evaluators: usable.get(probe)!.filter((evaluator) => working.includes(evaluator)),
        imagesOf: images,
        checkpointOf: (evaluator) => request.checkpoints?.get(refs.get(evaluator)!),
      };
      if (all.evaluators.length === 0) continue;
      const cells = request.matrix && new ProbeCells(request.matrix, all, refs);
      const job = (await cells?.find(path, fingerprints)) ?? all;
      if (job.evaluators.length === 0) continue;
      await (prepared ??= prepare(out, onEvent));
      onEvent({
        type: 'started',
        probe: probe.id,
        evaluators: job.evaluators.map(({ info }) => info.id),
        format: dataset.format,
      });
      meter.start((progress) => onEvent({ type: 'progress', probe: probe.id, progress }));
      append(
        written,
        await withoutBroken(job, cells ?? whileOneWorks(working, broken, onEvent), (own) =>
          runUnchanged(own, path, fingerprints),
        ),
      );
    }
    throwBroken(broken);
    return written;
  } finally {
    // The bench is closed first, because closing an evaluator would lose batches in progress.
    await bench.close();
    await Promise.allSettled([
      fingerprints.flush(),
      exact.close(),
      ...evaluators.map((evaluator) => evaluator.close()),
    ]);
  }
}

/** Opens the float32 evaluators of drafts. Whoever passes an open evaluator has not said how to open it. */
function exactFor(
  request: AuditRequest,
  home: string,
  refs: ReadonlyMap<Evaluator, string>,
): ExactEvaluators {
  const open = (draft: Evaluator): Promise<Evaluator> => {
    if (request.evaluators.includes(draft))
      throw evaluatorError(say('draft.noFloat32', draft.info.name), say('draft.saveFloat32'));
    return openOne(refs.get(draft)!, home, { ...request, precision: 'float32' });
  };
  return new ExactEvaluators(open, { store: storeFolder(home), batchSize: request.batchSize });
}

/** What draws pairs for the tests of evaluators. Its own finder, because the report counts the images of the run's. */
export function drawOf(
  { images = [], limit = Infinity, seed = defaultSeed, signal }: AuditRequest,
  dataset: Dataset,
): DrawRequest {
  return { dataset, limit, seed, signal, finder: createImageFinder({ dataset, folders: images, signal }) };
}

/** Folds the images of a run, once for all its probes and evaluators that read images. */
function imagesFor(request: AuditRequest, dataset: Dataset, digests: ImageDigests): Job['imagesOf'] {
  let fold: Promise<ImageFold | undefined> | undefined;
  return async (evaluator) => {
    if (!readsImages(evaluator)) return undefined;
    const { finder, limit, signal } = drawOf(request, dataset);
    const digestOf = digestWith(finder, digests, signal, true);
    return (fold ??= foldImages(imagesOf(dataset, digestOf, { limit, signal })));
  };
}

/** Opens the evaluators of a request. The run continues without those that fail; throws if all fail. */
async function openAll(
  opened: Evaluator[],
  home: string,
  request: AuditRequest & { onEvent: NonNullable<AuditRequest['onEvent']> },
  refs: Map<Evaluator, string>,
): Promise<CaptiousError[]> {
  const { matrix, signal } = request;
  const broken: CaptiousError[] = [];
  for (const ref of new Set(request.evaluators)) {
    try {
      const evaluator = await openOne(ref, home, request);
      opened.push(evaluator);
      refs.set(evaluator, typeof ref === 'string' ? ref : ref.info.id);
    } catch (thrown) {
      if (matrix === undefined && !isOfEvaluator(thrown)) throw thrown;
      const error = ofCell(thrown, signal);
      if (matrix === undefined) broken.push(error);
      else for (const probe of new Set(request.probes)) matrix.failed({ probe, ref: String(ref) }, error);
    }
  }
  throwIfAll(opened.length === 0, broken, 0, request.onEvent);
  return broken;
}

/** Tells the errors from the given one on. If nothing works, it throws the first error, which is then told once. */
function throwIfAll(
  all: boolean,
  broken: readonly CaptiousError[],
  from: number,
  onEvent: Job['onEvent'],
): void {
  const first = broken.at(from) ?? broken.at(0);
  for (const error of broken.slice(from))
    if (!all || error !== first) onEvent({ type: 'notice', message: error.describe() });
  if (all && first !== undefined) throw first;
}

/** Throws the errors of evaluators after the reports of the others, with the place and remedy of the first. */
function throwBroken([first, ...others]: readonly CaptiousError[]): void {
  if (first === undefined) return;
  const also = others.map(({ at, what }) => (at === undefined ? what : say('base.labelledPart', at, what)));
  const what = together(first.what, ...also);
  throw new CaptiousError('evaluator', say('audit.otherReportsWritten', what), first.details);
}

/** The evaluators that each probe can use. Throws if no probe can use any. */
async function usableCells(
  request: Omit<AuditRequest, 'dataset'> & Pick<Job, 'dataset' | 'onEvent'>,
  options: ReadonlyMap<Probe, Job['options']>,
  evaluators: readonly Evaluator[],
  refs: ReadonlyMap<Evaluator, string>,
  broken: CaptiousError[],
): Promise<ReadonlyMap<Probe, readonly Evaluator[]>> {
  const { matrix, onEvent } = request;
  const told = broken.length;
  const usable = await usableByProbe(options, evaluators, request, (probe, evaluator, error) => {
    if (matrix !== undefined) matrix.failed({ probe: probe.id, ref: refs.get(evaluator)! }, error);
    else broken.push(error);
  });
  throwIfAll(
    [...usable.values()].every((own) => own.length === 0),
    broken,
    told,
    onEvent,
  );
  return usable;
}

function prepare(out: string, onEvent: (event: AuditEvent) => void): Promise<void> {
  return prepareFolder(out, (message) => onEvent({ type: 'notice', message }));
}

/** Writes the reports of one probe if the dataset did not change during the run. */
async function runUnchanged(job: Job, path: string, fingerprints: Fingerprints): Promise<WrittenReport[]> {
  const before = await datasetHash(path, fingerprints);
  const drafts = await runProbe(job, before);
  const written: WrittenReport[] = [];
  try {
    if ((await datasetHash(path, fingerprints)) !== before) {
      throw interruptedError(say('audit.datasetChangedDuringAudit'), say('resume.runAuditAgain'), path);
    }
    for (const { evaluator, finish } of drafts) {
      const report = await finish();
      written.push(report);
      await job.onReport?.(evaluator, report);
      job.onEvent({ type: 'report', ...report });
    }
  } finally {
    // `discard` keeps finished reports.
    await Promise.all(drafts.map(({ discard }) => discard()));
  }
  return written;
}

/** The default folder for a dataset's reports. */
export function runFolder(home: string, path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(home, 'runs', `${fileNameWithCase(basename(path))}-${hash}`);
}
