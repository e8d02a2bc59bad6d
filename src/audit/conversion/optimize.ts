import { dirname, join, relative, resolve } from 'node:path';
import { evaluatorError, throwIfCancelled, usageError } from '../../base/errors';
import { largest, smallest } from '../../base/extent';
import { makeFolder } from '../../base/files/cannotWrite';
import { chunksOf } from '../../base/files/readFile';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';
import type { Evaluator } from '../../evaluator/evaluator';
import { describeFolder } from '../../evaluator/model/describe';
import { ModelFolder } from '../../evaluator/model/modelFolder';
import { isCopyable } from '../../evaluator/model/onnx/nodes';
import { withPackedProducts } from '../../evaluator/model/onnx/packedProducts';
import { withTokenCut } from '../../evaluator/model/onnx/tokenCut';
import { runtimeOf } from '../../evaluator/model/runtime';
import { openEvaluator, type OpenOptions } from '../../evaluator/open';
import { parseReference } from '../../evaluator/reference';
import type { Item } from '../../protocol/item';
import type { Transform } from '../../perturb/transform';
import { median } from '../../stats/summary';
import { dot, inNewFolder, samples, unitRowsOf } from './folders';

/** The largest accepted difference of a cosine between the graphs. */
export const mostApartOptimized = 1e-6;
/** How many texts, and how many images, both graphs embed. */
const compared = 200;
/** How many texts and images a round of the speed measurement embeds. */
const timed = { texts: 128, images: 32 };
const rounds = 5;

/** Together with the images themselves, more images than `compared`. */
const transforms: readonly Transform[] = [
  { op: 'hflip' },
  { op: 'vflip' },
  { op: 'rotate', degrees: 20 },
  { op: 'blur', sigma: 2 },
];

interface Rewritten {
  graph: string;
  /** How many matrix products replace several of the same input. */
  packed: number;
  /** How many matrix products see only one token of each item. */
  cut: number;
}

/** The speed of the optimized graph relative to the original: the median of the rounds, and the extremes. */
interface Speed {
  median: number;
  slowest: number;
  fastest: number;
}

export interface Optimization {
  folder: string;
  from: string;
  graphs: Rewritten[];
  texts: number;
  images: number;
  /** The largest difference of a cosine of any two items. */
  apart: number;
  /** Whether all embeddings are equal to the bit. */
  same: boolean;
  speed: { texts?: Speed; images?: Speed };
}

/** Writes a copy of a model folder with faster graphs. It is kept only if its cosines agree with the original. */
export async function optimize(
  ref: string,
  { out, ...options }: OpenOptions & { out: string },
): Promise<Optimization> {
  const { home = homeFolder(), signal } = options;
  const reference = parseReference(ref, { home });
  if (reference.type !== 'folder' && reference.type !== 'installed' && reference.type !== 'starter')
    throw usageError(say('audit.notOptimizable'), say('audit.nameModelFolder'), ref);
  const folder = new ModelFolder(reference.path);
  const fingerprints = new Fingerprints(storeFolder(home));
  const { blueprint, info } = await describeFolder(folder, reference.id, runtimeOf(options), fingerprints);
  const towers = [blueprint.text, blueprint.image].flatMap((tower) => tower ?? []);
  return inNewFolder(out, async (draft) => {
    for (const name of folder.files()) {
      await makeFolder(dirname(join(draft, name)));
      await replaceFile(join(draft, name), async (file) => {
        for await (const chunk of chunksOf(join(folder.path, name))) await file.writeFile(chunk);
      });
    }
    const graphs: Rewritten[] = [];
    for (const graph of new Set(towers.map((tower) => tower.graph))) {
      throwIfCancelled(signal);
      const outputs = towers.filter((tower) => tower.graph === graph).map(({ spec }) => spec.output.name);
      const name = relative(folder.path, graph);
      const done = await rewrite(join(draft, name), outputs);
      if (done.packed + done.cut > 0) graphs.push({ graph: name, ...done });
    }
    if (graphs.length === 0)
      throw evaluatorError(
        towers.every(({ graph }) => isCopyable(graph))
          ? say('audit.nothingToOptimize')
          : say('audit.graphNotCopyable'),
        say('audit.useOriginalFolder'),
        folder.path,
      );
    const said = {
      ...folder.json('captious.json'),
      name: info.name,
      optimized: { from: info.sha256, graphs },
    };
    await replaceFile(join(draft, 'captious.json'), `${JSON.stringify(said, undefined, 1)}\n`);
    return { folder: resolve(out), from: info.sha256!, graphs, ...(await compare([ref, draft], options)) };
  });
}

async function rewrite(path: string, outputs: readonly string[]): Promise<Omit<Rewritten, 'graph'>> {
  const take = async (copy: { parts: Uint8Array[]; products: number } | undefined): Promise<number> => {
    if (copy === undefined) return 0;
    await replaceFile(path, async (file) => {
      for (const part of copy.parts) await file.writeFile(part);
    });
    return copy.products;
  };
  const packed = await take(withPackedProducts(path));
  let cut = 0;
  for (const output of outputs) cut += await take(withTokenCut(path, output));
  return { packed, cut };
}

async function compare(
  refs: readonly [string, string],
  options: OpenOptions,
): Promise<Omit<Optimization, 'folder' | 'from' | 'graphs'>> {
  const evaluators: Evaluator[] = [];
  try {
    for (const ref of refs) evaluators.push(await openEvaluator(ref, options));
    const { texts, images } = await itemsFor(evaluators[0]);
    const items = [...texts, ...images];
    const original = await unitRowsOf(evaluators[0], items, options.signal);
    const own = await unitRowsOf(evaluators[1], items, options.signal);
    const apart = furthestCosine(original, own);
    // `!(… <= …)` instead of `>`, because NaN must also cause the error.
    if (!(apart <= mostApartOptimized))
      throw evaluatorError(
        say('audit.optimizedDiffers', apart.toExponential(1), mostApartOptimized),
        say('audit.useOriginalFolder'),
        refs[0],
      );
    const same = original.every((row, i) => row.every((value, k) => value === own[i][k]));
    const speedOf = (some: readonly Item[]): Promise<Speed> => speedsOf(evaluators, some, options.signal);
    const speed: Optimization['speed'] = {};
    if (texts.length > 0) speed.texts = await speedOf(texts.slice(0, timed.texts));
    if (images.length > 0) speed.images = await speedOf(images.slice(0, timed.images));
    return { texts: texts.length, images: images.length, apart, same, speed };
  } finally {
    for (const evaluator of evaluators) await evaluator.close();
  }
}

/** The largest difference of a cosine of two items. */
function furthestCosine(original: readonly Float64Array[], own: readonly Float64Array[]): number {
  let apart = 0;
  for (let i = 0; i < original.length; i++)
    for (let j = 0; j < i; j++) {
      const difference = Math.abs(dot(original[i], original[j]) - dot(own[i], own[j]));
      apart = Math.max(apart, difference);
    }
  return apart;
}

/** The items that the evaluator embeds. */
async function itemsFor({ embedTexts, embedImages }: Evaluator): Promise<{ texts: Item[]; images: Item[] }> {
  const { texts, images } = await samples();
  const altered = transforms.flatMap((transform) =>
    images.map((image): Item => ({ ...image, transforms: [transform] })),
  );
  return {
    texts: embedTexts === undefined ? [] : texts.slice(-compared),
    images: embedImages === undefined ? [] : [...images, ...altered].slice(0, compared),
  };
}

/** Measures both evaluators in each round, in turns. Both have run before. */
async function speedsOf(
  [original, own]: readonly Evaluator[],
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<Speed> {
  const seconds = async (evaluator: Evaluator): Promise<number> => {
    const began = performance.now();
    await unitRowsOf(evaluator, items, signal);
    return performance.now() - began;
  };
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const isFirst = round % 2 === 0;
    const first = await seconds(isFirst ? original : own);
    const second = await seconds(isFirst ? own : original);
    ratios.push(isFirst ? first / second : second / first);
  }
  return { median: median(ratios), slowest: smallest(ratios), fastest: largest(ratios) };
}
