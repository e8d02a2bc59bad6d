import type { Words } from '../../../base/say';
import type { CallContext } from '../../../base/calls';
import { throwIfCancelled } from '../../../base/errors';
import type { Outcome } from '../../../base/outcome';
import type { Pixels } from '../../../perturb/image/pixels';
import { applyTransforms } from '../../../perturb/transform';
import type { ImageItem } from '../../../protocol/item';
import { aids, startOf } from './imageTools';
import type { JobContext } from '../jobContext';
import { unreadable } from './decode';
import { checkRows, poolRows } from '../pooling';
import { preparing } from './preparing';
import type { Prepared, ThreadPool } from './threadPool';
import { pixelDims } from '../../../protocol/imageSpec';
import type { Encoded, ImageJob, PixelJob } from '../../../protocol/native';
import { constantFeeds, type Feeds, floatTensor, integers, openSession, runGraph } from '../sessions';

/** How many images `decodeImages` decodes at once, on other threads. A larger number would only take more memory. */
const decodedAtOnce = 2;
let decoding = 0;
const queue: (() => void)[] = [];

/** The prepared images of a job. Up to 2 × `perRun` images are prepared in advance. */
export interface Preparation {
  take: (count: number) => Promise<Prepared[]>;
  /** Stops preparing images. */
  stop: () => void;
}

export function prepareImages(
  { images, spec, perRun }: Pick<ImageJob, 'images' | 'spec' | 'perRun'>,
  step: () => void,
  pool: ThreadPool = preparing,
): Preparation {
  const ahead = perRun * 2;
  const ready: Promise<Prepared>[] = [];
  let started = 0;
  let done = 0;
  let taken = 0;
  let over = false;
  const startMore = (): void => {
    while (started < images.length && started < taken + ahead) {
      const image = images[started++];
      const prepared = pool.prepare({ image, spec }, () => over);
      ready.push(
        prepared.finally(() => {
          done++;
          step();
        }),
      );
    }
  };
  startMore();
  return {
    take: async (count) => {
      const mine = ready.splice(0, count);
      taken += mine.length;
      pool.noteTake(done < taken);
      startMore();
      return Promise.all(mine);
    },
    stop: () => {
      over = true;
    },
  };
}

/** Decodes and transforms images, for example for evaluators with their own preprocessing. */
export async function decodeImages<T>(
  images: readonly ImageItem[],
  { signal, step }: CallContext,
  of: (pixels: Pixels) => T,
): Promise<Outcome<T>[]> {
  const decoded = images.map((image) => decodeOne(image, of, () => signal.aborted).finally(step));
  const outcomes = await Promise.all(decoded);
  throwIfCancelled(signal);
  return outcomes;
}

async function decodeOne<T>(
  image: ImageItem,
  of: (pixels: Pixels) => T,
  over: () => boolean,
): Promise<Outcome<T>> {
  await turn();
  try {
    if (over()) return { ok: false, problem: 'cancelled' };
    return { ok: true, value: of(await applyTransforms(await startOf(image), image.transforms, aids)) };
  } catch (error) {
    return unreadable(image.source, error);
  } finally {
    decoding--;
    queue.shift()?.();
  }
}

async function turn(): Promise<void> {
  if (decoding >= decodedAtOnce) await new Promise<void>((resolve) => queue.push(resolve));
  decoding++;
}

export async function encodeImages(
  job: ImageJob,
  preparation: Preparation,
  context: JobContext,
): Promise<Encoded> {
  try {
    const session = await openSession(job.graph);
    context.step();
    const problems: (Words | undefined)[] = [];
    const unread: number[] = [];
    let values = new Float32Array(0);
    let dimension = 0;
    const chunk = job.fixedRows ?? job.perRun;
    for (let from = 0; from < job.images.length; from += chunk) {
      await context.pause();
      const prepared = await preparation.take(Math.min(chunk, job.images.length - from));
      await context.pause();
      noteProblems(prepared, from, { problems, unreadable: unread });
      const good = prepared.flatMap((image, i) =>
        image.ok ? [{ at: from + i, pixels: image.pixels, grid: image.grid }] : [],
      );
      if (good.length === 0) continue;
      // A single row is fed twice, as `rowsToFeed` in texts.ts explains.
      const fed = job.fixedRows ?? Math.max(2, good.length);
      const feeds = constantFeeds(job.constants);
      Object.assign(feeds, pixelFeeds(job, good, fed));
      const { data, dims } = await runGraph(job.graph, session, feeds, job.output, fed);
      const pooled = poolRows(data, dims, undefined, job.output, good.length);
      if (values.length === 0) {
        dimension = pooled.dimension;
        values = new Float32Array(job.images.length * dimension);
      }
      good.forEach(({ at }, i) =>
        values.set(pooled.values.subarray(i * dimension, (i + 1) * dimension), at * dimension),
      );
      context.step();
    }
    checkRows(values, dimension, problems);
    return { dimension, values, problems, unreadable: unread };
  } finally {
    preparation.stop();
  }
}

/** Preprocesses images for a graph that runs on a server. */
export async function takePixels(
  { images, spec }: PixelJob,
  preparation: Preparation,
  context: JobContext,
): Promise<Encoded> {
  try {
    const dimension = pixelDims(spec).reduce((product, dim) => product * dim, 1);
    const values = new Float32Array(images.length * dimension);
    const problems: (Words | undefined)[] = [];
    const unread: number[] = [];
    for (let i = 0; i < images.length; i++) {
      await context.pause();
      const [image] = await preparation.take(1);
      noteProblems([image], i, { problems, unreadable: unread });
      if (image.ok) values.set(image.pixels, i * dimension);
    }
    await context.pause();
    return { dimension, values, problems, unreadable: unread };
  } finally {
    preparation.stop();
  }
}

/** Notes the problems of prepared images. The first one has the row `from`. */
function noteProblems(
  prepared: readonly Prepared[],
  from: number,
  { problems, unreadable: rows }: { problems: (Words | undefined)[]; unreadable: number[] },
): void {
  for (const [i, image] of prepared.entries()) {
    problems.push(image.ok ? undefined : image.problem);
    if (!image.ok && image.unreadable === true) rows.push(from + i);
  }
}

function pixelFeeds(
  { spec, input, inputType, patchInputs }: ImageJob,
  good: readonly { pixels: Float32Array; grid?: readonly [number, number] }[],
  fed: number,
): Feeds {
  const dims = pixelDims(spec);
  const size = dims.reduce((product, dim) => product * dim, 1);
  const row = (r: number): (typeof good)[number] => good[Math.min(r, good.length - 1)];
  const data = new Float32Array(fed * size);
  for (let r = 0; r < fed; r++) data.set(row(r).pixels, r * size);
  const feeds: Feeds = { [input]: floatTensor(data, [fed, ...dims], inputType) };
  if (patchInputs === undefined || spec.patches === undefined) return feeds;
  const { most } = spec.patches;
  const shapes = new Int32Array(fed * 2);
  const mask = new Uint8Array(fed * most);
  for (let r = 0; r < fed; r++) {
    const [rows, columns] = row(r).grid!;
    shapes.set([rows, columns], r * 2);
    mask.fill(1, r * most, r * most + rows * columns);
  }
  feeds[patchInputs.shapes.name] = integers(patchInputs.shapes, shapes, [fed, 2]);
  if (patchInputs.mask !== undefined)
    feeds[patchInputs.mask.name] = integers(patchInputs.mask, mask, [fed, most]);
  return feeds;
}
