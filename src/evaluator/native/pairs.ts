import { basename } from 'node:path';
import { CaptiousError, Reason, wordsOf } from '../../base/errors';
import { say, type Words, inARow } from '../../base/say';
import type { Failure, Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { JobContext } from './jobContext';
import { prepareImages } from './images/images';
import { readNpy } from './npy';
import type { PairJob, RegionSpec } from '../../protocol/native';
import { type Feeds, floatTensor, integers, openSession, runGraph } from './sessions';

/** How a graph receives an image: pixels, or features of its regions. */
type ImageInput =
  | { ok: true; regions: number; pixels?: Float32Array; features?: Float32Array; boxes?: Float32Array }
  | Failure;

/** Scores pairs. The pairs of one run of the graph have equal numbers of tokens and equal numbers of regions. */
export async function scorePairs(job: PairJob, context: JobContext): Promise<Outcome<number>[]> {
  const session = await openSession(job.graph);
  context.step();
  const imageInputs = await look(job, context);
  const out = new Array<Outcome<number>>(job.texts.length);
  const groups = new Map<string, number[]>();
  for (const [row, text] of job.texts.entries()) {
    const preview = imageInputs[job.imageIndices[row]];
    if (!preview.ok) out[row] = preview;
    else if (text.ids.length === 0) out[row] = { ok: false, problem: say('model.noToken') };
    else {
      const name = `${text.ids.length} ${preview.regions}`;
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
  }
  const chunk = job.fixedRows ?? job.perRun;
  for (const rows of groups.values()) {
    for (let from = 0; from < rows.length; from += chunk) {
      await context.pause();
      const some = rows.slice(from, from + chunk);
      // A single row is fed twice, as `rowsToFeed` in texts.ts explains.
      const fed = job.fixedRows ?? Math.max(2, some.length);
      const feeds = feedsOf(
        job,
        Array.from({ length: fed }, (_, r) => some[Math.min(r, some.length - 1)]),
        imageInputs,
      );
      const output = { name: job.output.name, pooling: 'none', skip: 0, normalise: false } as const;
      const { data, dims } = await runGraph(job.graph, session, feeds, output, fed);
      if (dims[1] !== job.output.columns) {
        throw new CaptiousError('evaluator', say('native.pairOutputWidth', dims[1], job.output.columns), {
          at: job.graph.path,
          remedy: say('native.setPairOutput'),
        });
      }
      some.forEach(
        (row, r) => (out[row] = scoreOf(data.subarray(r * dims[1], (r + 1) * dims[1]), job.output)),
      );
      context.step();
    }
  }
  return out;
}

/** Computes a score in double precision, because a score near 1 must not round to 1. */
function scoreOf(logits: Float32Array, { read, column }: PairJob['output']): Outcome<number> {
  const own = logits[column];
  let value: number;
  if (read === 'logit') value = own;
  else if (read === 'sigmoid') value = 1 / (1 + Math.exp(-own));
  else {
    let sum = 0;
    for (const other of logits) sum += Math.exp(other - own);
    value = 1 / sum;
  }
  const finite = Number.isFinite(value) && logits.every(Number.isFinite);
  return finite ? { ok: true, value } : { ok: false, problem: say('native.notFinite') };
}

async function look(job: PairJob, context: JobContext): Promise<ImageInput[]> {
  const { images, pixels, regions } = job;
  if (regions !== undefined) return images.map((image, i) => readRegions(image, regions, regions.files[i]));
  const prepared = prepareImages({ images, spec: pixels!.spec, perRun: images.length }, context.step);
  try {
    const imageInputs: ImageInput[] = [];
    while (imageInputs.length < images.length) {
      await context.pause();
      const [image] = await prepared.take(1);
      imageInputs.push(image.ok ? { ok: true, regions: 0, pixels: image.pixels } : image);
    }
    return imageInputs;
  } finally {
    prepared.stop();
  }
}

function readRegions(
  { source, transforms }: ImageItem,
  spec: RegionSpec,
  files: RegionSpec['files'][number],
): ImageInput {
  if (transforms.length > 0) return { ok: false, problem: say('native.regionsOfOriginal', source.name) };
  const failed = (problem: Words): Failure => ({ ok: false, problem, unreadable: true });
  if ('problem' in files) return failed(inARow([source.name, files.problem], ': '));
  const read = (path: string, columns: number): { rows: number; values: Float32Array } => {
    try {
      const table = readNpy(path);
      if (table.columns !== columns) throw new Reason(say('native.regionColumns', table.columns, columns));
      if (table.rows === 0) throw new Reason(say('native.noRegion'));
      return table;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = missing ? say('native.noSuchFile') : wordsOf(error);
      throw new Reason(inARow([source.name, basename(path), why], ': '), { cause: error });
    }
  };
  try {
    const features = read(files.features, spec.features.columns);
    const boxes = spec.boxes === undefined ? undefined : read(files.boxes, spec.boxes.columns);
    if (boxes !== undefined && boxes.rows !== features.rows)
      throw new Reason(say('native.regionCountsDiffer', source.name, features.rows, boxes.rows));
    return { ok: true, regions: features.rows, features: features.values, boxes: boxes?.values };
  } catch (error) {
    return failed(wordsOf(error));
  }
}

function feedsOf(job: PairJob, rows: readonly number[], imageInputs: readonly ImageInput[]): Feeds {
  const { inputs, pixels, regions } = job;
  const texts = rows.map((row) => job.texts[row]);
  const seen = rows.map((row) => imageInputs[job.imageIndices[row]]);
  const count = rows.length;
  const length = texts[0].ids.length;
  const first = seen[0];
  const regionCount = first.ok ? first.regions : 0;
  const feeds: Feeds = {};
  feeds[inputs.ids.name] = integers(
    inputs.ids,
    texts.flatMap(({ ids }) => [...ids]),
    [count, length],
  );
  if (inputs.mask !== undefined) {
    const more = job.maskCovers === 'all' ? regionCount : 0;
    const mask = texts.flatMap(({ real }) =>
      Array.from({ length: length + more }, (_, i) => (i < real || i >= length ? 1 : 0)),
    );
    feeds[inputs.mask.name] = integers(inputs.mask, mask, [count, length + more]);
  }
  if (inputs.types !== undefined)
    feeds[inputs.types.name] = integers(inputs.types, new Uint8Array(count * length), [count, length]);
  if (inputs.positions !== undefined) {
    const positions = Int32Array.from({ length: count * length }, (_, i) => i % length);
    feeds[inputs.positions.name] = integers(inputs.positions, positions, [count, length]);
  }
  const floats = (name: string, part: 'pixels' | 'features' | 'boxes', dims: readonly number[]): void => {
    const size = dims.reduce((product, dim) => product * dim, 1);
    const data = new Float32Array(count * size);
    seen.forEach((preview, r) => preview.ok && data.set(preview[part]!, r * size));
    feeds[name] = floatTensor(data, [count, ...dims], part === 'pixels' ? pixels?.inputType : undefined);
  };
  if (pixels !== undefined) {
    const { width, height, layout } = pixels.spec;
    floats(pixels.input, 'pixels', layout === 'channels-first' ? [3, height, width] : [height, width, 3]);
    // No image is padded, so the mask is all ones.
    if (pixels.mask !== undefined)
      feeds[pixels.mask.name] = integers(pixels.mask, new Uint8Array(count * height * width).fill(1), [
        count,
        height,
        width,
      ]);
  }
  if (regions !== undefined) {
    floats(regions.features.input, 'features', [regionCount, regions.features.columns]);
    if (regions.boxes !== undefined)
      floats(regions.boxes.input, 'boxes', [regionCount, regions.boxes.columns]);
    if (regions.mask !== undefined)
      feeds[regions.mask.name] = integers(regions.mask, new Uint8Array(count * regionCount).fill(1), [
        count,
        regionCount,
      ]);
  }
  return feeds;
}
