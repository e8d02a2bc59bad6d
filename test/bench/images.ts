import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { env, pipeline } from '@huggingface/transformers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createBench } from '../../src/bench/createBench';
import { describeFolder } from '../../src/evaluator/model/describe';
import { ModelFolder } from '../../src/evaluator/model/modelFolder';
import { runtimeOf } from '../../src/evaluator/model/runtime';
import { openEvaluator } from '../../src/evaluator/open';
import { Engine } from '../../src/evaluator/native/engine';
import { Fingerprints } from '../../src/base/files/fingerprints';
import type { ImageItem } from '../../src/protocol/item';
import { contest, type Contestant, rateRows, type Rates, relative } from './contest';
import { Loop } from './loop';
import { median, type Section } from './report';
import { environment, imageFiles, torchPython } from './torchModels';

const batch = 32;

interface Subject {
  /** The model's folder in transformers' format. */
  checkpoint: string;
  /** The model, exported by captious convert. */
  onnx: string;
  paths: string[];
  threads: number;
  scratch: string;
}

/** Measures the images per second of five contestants with one model and the same files, in turns. */
export async function benchImages(rounds: number, threads: number): Promise<Section> {
  const python = torchPython();
  const scratch = await mkdtemp(join(tmpdir(), 'captious-images-bench-'));
  const [load] = loadavg();
  const subject: Subject = {
    checkpoint: join(scratch, 'clip'),
    onnx: join(scratch, 'onnx'),
    paths: imageFiles(),
    threads,
    scratch,
  };
  const contestants: Contestant[] = [];
  const make = resolve('test/fixtures/models/clip');
  const loop = new Loop(python, 'images', { folder: subject.checkpoint, threads, make });
  try {
    await loop.ready();
    execFileSync(
      process.execPath,
      [
        'dist/cli.js',
        'convert',
        `transformers:${subject.checkpoint}`,
        `--out=${subject.onnx}`,
        `--python=${python}`,
      ],
      { env: environment, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    contestants.push(await raw(subject), captious(subject), await transformersJs(subject));
    contestants.push(dataLoader(loop, subject, 0), dataLoader(loop, subject, threads));
    const least = await leastCosines(contestants);
    const measured = await contest(contestants, subject.paths.length, rounds);
    return section(contestants, measured, { subject, least, load });
  } finally {
    loop.end();
    for (const contestant of contestants) await contestant.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

function itemOf(path: string): ImageItem {
  return { kind: 'image', source: { name: basename(path), path }, transforms: [] };
}

/** Images for the warm-up, flipped so that the measurement cannot reuse their embeddings. */
function warmUp({ paths }: Subject): ImageItem[] {
  return paths.slice(0, batch).map((path) => ({ ...itemOf(path), transforms: [{ op: 'hflip' }] }));
}

async function raw({ onnx, paths, threads, scratch }: Subject): Promise<Contestant> {
  const folder = new ModelFolder(onnx);
  const { blueprint } = await describeFolder(
    folder,
    folder.name,
    runtimeOf({}),
    new Fingerprints(join(scratch, 'fingerprints')),
  );
  const { graph, spec } = blueprint.image!;
  const { input, output, preprocessing } = spec;
  const engine = new Engine();
  const { dimension, values, problems } = await engine.run('pixels', {
    images: paths.map(itemOf),
    spec: preprocessing,
  });
  await engine.close();
  assert.deepEqual(new Set(problems), new Set([undefined]));
  const prepared = paths.map((_, i) => values.subarray(i * dimension, (i + 1) * dimension));
  const feeds = Array.from({ length: Math.ceil(prepared.length / batch) }, (_, i) => {
    const rows = prepared.slice(i * batch, (i + 1) * batch);
    const pixels = new Float32Array(rows.length * rows[0].length);
    rows.forEach((row, r) => pixels.set(row, r * row.length));
    return new Tensor('float32', pixels, [rows.length, 3, preprocessing.height, preprocessing.width]);
  });
  const session = await InferenceSession.create(graph, {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
    enableMemPattern: false,
  });
  const run = async (some: readonly Tensor[]): Promise<Float32Array[]> => {
    const rows: Float32Array[] = [];
    for (const feed of some) {
      const { data, dims } = (await session.run({ [input]: feed }, [output.name]))[output.name];
      for (let r = 0; r < dims[0]; r++)
        rows.push((data as Float32Array).slice(r * dims[1], (r + 1) * dims[1]));
    }
    return rows;
  };
  return {
    name: 'raw session on prepared tensors, 32',
    async round() {
      await run(feeds.slice(0, 1));
      const start = performance.now();
      await run(feeds);
      return { seconds: (performance.now() - start) / 1000 };
    },
    vectors: () => run(feeds),
    close: () => session.release(),
  };
}

/** Captious with a new process and store in each round, so that no cache helps. */
function captious(subject: Subject): Contestant {
  const { onnx, paths, threads } = subject;
  async function run(): Promise<{ seconds: number; start: number; vectors: Float32Array[] }> {
    const home = await mkdtemp(join(tmpdir(), 'captious-images-'));
    const opening = performance.now();
    const evaluator = await openEvaluator(onnx, { home, threads });
    const bench = createBench({ store: join(home, 'store') });
    try {
      await bench.embeddings(evaluator, warmUp(subject).slice(0, 1));
      const start = (performance.now() - opening) / 1000;
      await bench.embeddings(evaluator, warmUp(subject));
      const begun = performance.now();
      const outcomes = await bench.embeddings(evaluator, paths.map(itemOf));
      await bench.close();
      const seconds = (performance.now() - begun) / 1000;
      const vectors = outcomes.map((outcome) => {
        assert.ok(outcome.ok);
        return outcome.value;
      });
      return { seconds, start, vectors };
    } finally {
      await bench.close();
      await evaluator.close();
      await rm(home, { recursive: true, force: true });
    }
  }
  return {
    name: 'Captious, from the files to the store',
    round: run,
    vectors: async () => (await run()).vectors,
    close: () => Promise.resolve(),
  };
}

async function transformersJs({ onnx, paths, threads }: Subject): Promise<Contestant> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(onnx);
  const pipe = await pipeline('image-feature-extraction', basename(onnx), {
    dtype: 'fp32',
    device: 'cpu',
    session_options: { intraOpNumThreads: threads },
  });
  async function encode(some: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < some.length; from += batch) {
      const { dims, data } = await pipe(some.slice(from, from + batch));
      for (let r = 0; r < dims[0]; r++)
        vectors.push((data as Float32Array).slice(r * dims[1], (r + 1) * dims[1]));
    }
    return vectors;
  }
  return {
    name: 'transformers.js pipeline, batches of 32',
    async round() {
      await encode(paths.slice(0, batch));
      const start = performance.now();
      await encode(paths);
      return { seconds: (performance.now() - start) / 1000 };
    },
    vectors: () => encode(paths),
    close: () => pipe.dispose() as Promise<void>,
  };
}

function dataLoader(loop: Loop, { paths, scratch }: Subject, workers: number): Contestant {
  const out = join(scratch, `loader-${workers}.f32`);
  return {
    name: `PyTorch, DataLoader with ${workers === 0 ? 'no workers' : `${workers} workers`}`,
    async round() {
      await loop.run({ paths: paths.slice(0, batch), workers: 0, out });
      return { seconds: (await loop.run({ paths, workers, out })).wall };
    },
    async vectors() {
      await loop.run({ paths, workers, out });
      const { buffer } = Uint8Array.from(await readFile(out));
      const all = new Float32Array(buffer);
      const dimension = all.length / paths.length;
      return paths.map((_, i) => all.subarray(i * dimension, (i + 1) * dimension));
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Each contestant's smallest cosine with the raw session's embedding. It is below 1 for transformers.js,
 * which resizes images differently.
 */
async function leastCosines(contestants: readonly Contestant[]): Promise<number[]> {
  const all: Float32Array[][] = [];
  for (const { vectors } of contestants) all.push(await vectors!());
  return all.map((vectors) => Math.min(...vectors.map((vector, i) => cosine(vector, all[0][i]))));
}

function cosine(a: Float32Array, b: Float32Array): number {
  assert.equal(a.length, b.length);
  let [product, left, right] = [0, 0, 0];
  for (let d = 0; d < a.length; d++) {
    product += a[d] * b[d];
    left += a[d] * a[d];
    right += b[d] * b[d];
  }
  return product / Math.sqrt(left * right);
}

function section(
  contestants: readonly Contestant[],
  { rates, starts }: Rates,
  { subject: { paths, threads }, least, load }: { subject: Subject; least: readonly number[]; load: number },
): Section {
  const [rawRates, ownRates, pipelineRates, ...torchRates] = rates;
  return {
    id: 'images',
    title: 'Images',
    notes: [
      `${paths.length} JPEG files, CLIP ViT-B/32 with random weights in float32, ${threads} threads each. Medians of ${rawRates.length} interleaved rounds, each after a warm-up of ${batch} images.`,
      'Raw: only session.run on prepared tensors, in batches of 32.',
      'Captious: decodes, resizes as Pillow does, normalises, encodes and writes every embedding to an empty store. The model is exported by captious convert.',
      "PyTorch: transformers' processor and model in a DataLoader with batches of 32.",
      'Last column: the least cosine of an image to its raw embedding; transformers.js resizes in another way.',
      `Captious is ${relative(ownRates, [pipelineRates]).toFixed(2)} times as fast as transformers.js.`,
      `Opening a model is not counted. Captious takes ${median(starts).toFixed(2)} s from the start to the first embedding (child process, from source). Load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`,
    ],
    columns: ['', 'images/s', 'slowest', 'fastest', 'to raw', 'least cosine'],
    rows: rateRows(contestants, rates, 1).map((row, i) => [...row, least[i].toFixed(6)]),
    data: {
      images: paths.length,
      threads,
      contestants: contestants.map(({ name }, i) => ({ name, rates: rates[i], leastCosine: least[i] })),
      starts,
    },
    targets: [
      { what: 'speed of Captious relative to raw', value: relative(ownRates, [rawRates]), atLeast: 0.95 },
      {
        what: 'speed of Captious relative to the faster PyTorch loop',
        value: relative(ownRates, torchRates),
        atLeast: 1.8,
      },
    ],
  };
}
