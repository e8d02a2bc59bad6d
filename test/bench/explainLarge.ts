import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { Random } from '../../src/base/random';
import { createBench } from '../../src/bench/createBench';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator } from '../../src/evaluator/open';
import {
  explain,
  type Explanation,
  frugal,
  optionsFor,
  type Pair,
  usualOptions,
} from '../../src/explain/explain';
import { keep, wordsOf } from '../../src/explain/units';
import { planFor } from '../../src/explain/words';
import type { ImageItem } from '../../src/protocol/item';
import { Loop } from './loop';
import { median, type Section } from './report';
import { environment, makeModels, torchPython } from './torchModels';

const words = 12;
const textBatch = 32;
const imageBatch = 8;
const pixels = 3 * 224 * 224;

/** A caption with its image, and everything that its explanation scores. */
interface Case {
  caption: string;
  path: string;
  /** The caption, no words, and the caption without each of its words. */
  singles: string[];
  /** All texts of the Shapley values. */
  texts: string[];
}

/** Seconds from the request, in the order in which the panel shows the parts, or of each part alone. */
interface Parts {
  first: number;
  map: number;
  shapley: number;
}

/** Times one explanation with CLIP ViT-B/32: Captious, its graph alone, and a plain loop in PyTorch. */
export async function benchExplainLarge(rounds: number, threads = availableParallelism()): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'captious-explain-'));
  try {
    const python = torchPython();
    await makeModels(python, folder, ['of_open_clip']);
    const [weights, onnx] = [join(folder, 'vit-b-32.pt'), join(folder, 'onnx')];
    execFileSync(
      process.execPath,
      [
        ...['dist/cli.js', 'convert', `open_clip:ViT-B-32?pretrained=${weights}`],
        ...[`--out=${onnx}`, `--python=${python}`],
      ],
      { env: environment, stdio: 'ignore' },
    );
    return await timed({ onnx, weights, python }, rounds, threads);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function timed(
  { onnx, weights, python }: { onnx: string; weights: string; python: string },
  rounds: number,
  threads: number,
): Promise<Section> {
  const [load] = loadavg();
  const cases = casesOf(rounds);
  const evaluator = await openEvaluator(onnx, { threads });
  const loop = new Loop(python, 'explain', { weights, threads });
  const out = join(onnx, 'scores.bin');
  const [own, bare, plain]: Parts[][] = [[], [], []];
  try {
    await loop.ready();
    // Opens the models.
    await leaveOneOut(evaluator, cases[0]);
    const { path, caption } = cases[0];
    await loop.run({ path, caption, texts: [caption], boxes: [[0, 0, 9, 9]], out });
    for (const one of cases) {
      const { parts, explained } = await captious(evaluator, one);
      const looped = await plainLoop(loop, one, out);
      agree(explained, looped.scores, one);
      own.push(parts);
      plain.push(looped.parts);
      bare.push(await graphAlone(evaluator, onnx, one, threads));
    }
  } finally {
    loop.end();
    await evaluator.close();
  }
  return sectionOf({ own, bare, plain }, load, threads);
}

function casesOf(count: number): Case[] {
  const lines = readFileSync('samples/captions.jsonl', 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { image: string; caption: string })
    .filter(({ caption }) => wordsOf(caption).length === words)
    .slice(0, count)
    .map(({ image, caption }) => {
      const units = wordsOf(caption);
      const random = (): Random => new Random(usualOptions.seed, caption, 'explain.words');
      const { coalitions } = planFor(words, usualOptions.permutations, random);
      const textOf = (has: readonly boolean[]): string =>
        has.every(Boolean) ? caption : keep(caption, units, (unit) => has[unit]) || ' ';
      const singles = units.map((_, i) => keep(caption, units, (unit) => unit !== i));
      return {
        caption,
        path: resolve('samples/images', image),
        singles: [...new Set([caption, ' ', ...singles])],
        texts: [...new Set([caption, ' ', ...singles, ...coalitions.map(textOf)])],
      };
    });
}

function pairOf({ caption, path }: Case): Pair {
  const image: ImageItem = { kind: 'image', source: { name: path, path }, transforms: [] };
  return { caption, target: { image } };
}

async function leaveOneOut(evaluator: Evaluator, one: Case): Promise<void> {
  const bench = createBench();
  await explain({ bench, evaluator }, pairOf(one), { ...optionsFor(evaluator), ...frugal, grid: undefined });
  await bench.close();
}

async function captious(evaluator: Evaluator, one: Case): Promise<{ parts: Parts; explained: Explanation }> {
  const bench = createBench();
  const pair = pairOf(one);
  const usual = optionsFor(evaluator);
  try {
    const begun = performance.now();
    const after = (): number => (performance.now() - begun) / 1000;
    await explain({ bench, evaluator }, pair, { ...usual, ...frugal, grid: undefined });
    const first = after();
    await explain({ bench, evaluator }, pair, { ...usual, ...frugal });
    const map = after();
    const explained = await explain({ bench, evaluator }, pair, usual);
    return { parts: { first, map, shapley: after() }, explained };
  } finally {
    await bench.close();
  }
}

/** The plain loop: each text and each image alone, texts padded to 77 tokens. The image is encoded once. */
async function plainLoop(
  loop: Loop,
  { caption, path, singles, texts }: Case,
  out: string,
): Promise<{ parts: Parts; scores: Float32Array }> {
  const run = async (own: readonly string[], boxes: readonly number[][]): Promise<[number, Float32Array]> => {
    const { wall } = await loop.run({ path, caption, texts: own, boxes, out });
    return [wall, new Float32Array(Uint8Array.from(await readFile(out)).buffer)];
  };
  const { width, height } = await sharp(path).metadata();
  const [first, ofSingles] = await run(singles, []);
  const [map, ofBoxes] = await run([], boxesOf(width, height));
  const [shapley, ofTexts] = await run(texts.slice(singles.length), []);
  return {
    parts: { first, map: first + map, shapley: first + map + shapley },
    scores: Float32Array.from([...ofSingles, ...ofTexts, ...ofBoxes]),
  };
}

function boxesOf(width: number, height: number): number[][] {
  const { rows, columns } = usualOptions.grid!;
  const edge = (size: number, at: number, of: number): number => Math.round((size * at) / of);
  return Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const [left, right] = [column, column + 1].map((at) => edge(width, at, columns));
    const [top, bottom] = [row, row + 1].map((at) => edge(height, at, rows));
    return [left, top, right, bottom];
  });
}

/** `session.run` alone on the same numbers of texts and images, in batches sorted by length. */
async function graphAlone(
  evaluator: Evaluator,
  onnx: string,
  { singles, texts }: Case,
  threads: number,
): Promise<Parts> {
  const open = (tower: string): Promise<InferenceSession> =>
    InferenceSession.create(join(onnx, `onnx/${tower}_model.onnx`), {
      ...{ intraOpNumThreads: threads, enableMemPattern: false },
    });
  const [text, vision] = [await open('text'), await open('vision')];
  const secondsOf = async (run: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await run();
    return (performance.now() - begun) / 1000;
  };
  const lengthsOf = async (own: readonly string[]): Promise<number[]> =>
    (await evaluator.measureTexts!(own)).map(({ tokens }) => tokens).sort((a, b) => a - b);
  const [ofSingles, ofRest] = [await lengthsOf(singles), await lengthsOf(texts.slice(singles.length))];
  const runTexts = async (lengths: readonly number[]): Promise<void> => {
    for (let from = 0; from < lengths.length; from += textBatch) {
      const batch = lengths.slice(from, from + textBatch);
      const dims = [batch.length, batch[batch.length - 1]];
      await text.run({ input_ids: new Tensor('int64', new BigInt64Array(dims[0] * dims[1]).fill(1n), dims) });
    }
  };
  const runImages = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= imageBatch) {
      const rows = Math.min(left, imageBatch);
      const filled = new Float32Array(rows * pixels).fill(0.1);
      await vision.run({ pixel_values: new Tensor('float32', filled, [rows, 3, 224, 224]) });
    }
  };
  await runTexts(ofSingles);
  await runImages(imageBatch);
  const { rows, columns } = usualOptions.grid!;
  const first = await secondsOf(async () => {
    await runTexts(ofSingles);
    await runImages(1);
  });
  const map = first + (await secondsOf(() => runImages(rows * columns)));
  const shapley = map + (await secondsOf(() => runTexts(ofRest)));
  await Promise.all([text.release(), vision.release()]);
  return { first, map, shapley };
}

/** Captious and the loop must score the same: the caption, each text without one word, and each hidden region. */
function agree({ score, words: found, regions }: Explanation, scores: Float32Array, one: Case): void {
  const near = (a: number, b: number, what: string): void =>
    assert.ok(Math.abs(a - b) < 1e-4, `${one.caption}: ${what} is ${a}, ${b} in the loop`);
  near(score, scores[0], 'the score');
  const units = wordsOf(one.caption);
  for (const [i, { word, without }] of found.entries()) {
    const single = keep(one.caption, units, (unit) => unit !== i);
    near(without!, scores[one.singles.indexOf(single)], `the score without ${word}`);
  }
  for (const [cell, { influence }] of regions!.entries())
    near(score - influence!, scores[one.texts.length + cell], `the score without region ${cell}`);
}

function sectionOf(
  { own, bare, plain }: Record<'own' | 'bare' | 'plain', Parts[]>,
  load: number,
  threads: number,
): Section {
  const of = (all: readonly Parts[], part: keyof Parts): number => median(all.map((one) => one[part]));
  const parts = [
    ['first', 'words shown, leave-one-out'],
    ['map', '7×7 map shown'],
    ['shapley', 'Shapley values shown'],
  ] as const;
  const ratio = median(own.map(({ shapley }, i) => plain[i].shapley / shapley));
  return {
    id: 'explain-large',
    title: 'An explanation with CLIP ViT-B/32',
    notes: [
      `Seconds from the request, with the model open and an empty store; medians of ${own.length} captions of ${words} words, on ${threads} threads. Load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after. Random weights.`,
      'Graph alone: session.run on as many texts (batches of 32 sorted by length) and images (batches of 8). Plain loop: open_clip in PyTorch, one text (77 tokens) or image at a time, as in a notebook; the image itself is encoded once. All scores agree within 10⁻⁴.',
    ],
    columns: ['', 'Captious', 'slowest', 'graph alone', 'plain loop'],
    rows: parts.map(([part, name]) => [
      name,
      of(own, part).toFixed(2),
      Math.max(...own.map((one) => one[part])).toFixed(2),
      of(bare, part).toFixed(2),
      of(plain, part).toFixed(2),
    ]),
    data: { own, bare, plain },
    targets: [
      { what: 'words shown (s)', value: of(own, 'first'), atMost: 1 },
      { what: '7×7 map shown (s)', value: of(own, 'map'), atMost: 4 },
      { what: 'speed of the whole explanation relative to the plain loop', value: ratio, atLeast: 3 },
    ],
  };
}
