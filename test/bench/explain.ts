import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { Random } from '../../src/base/random';
import { createBench } from '../../src/bench/createBench';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator } from '../../src/evaluator/open';
import { explain, type ExplainOptions, usualOptions } from '../../src/explain/explain';
import { keep, wordsOf } from '../../src/explain/units';
import { planFor } from '../../src/explain/words';
import type { ImageItem } from '../../src/protocol/item';
import { contest, type Contestant, rateRows, relative } from './contest';
import type { Section } from './report';

interface Pair {
  caption: string;
  image: ImageItem;
}

const options: ExplainOptions = { ...usualOptions, grid: undefined, table: false };
const fewestWords = 11;
const most = 2;

/** Compares Shapley values of words with a plain loop over the same texts and the same evaluator. */
export async function benchExplain(rounds: number): Promise<Section> {
  const [load] = loadavg();
  const evaluator = await openEvaluator('starter');
  try {
    const pairs = samplePairs();
    const contestants = [captious(evaluator, pairs), loop(evaluator, pairs)];
    await sameInfluences(contestants);
    const { rates } = await contest(contestants, pairs.length, rounds);
    const [own, kept] = rates;
    return {
      id: 'explain',
      title: 'Influence of words',
      notes: [
        `Shapley values of the words of ${pairs.length} sample captions (${fewestWords} words or more): ${options.permutations} orders, about 300 distinct texts each. Starter, words only, without a store.`,
        `The loop encodes the image once for each caption, and each distinct text once, one at a time. Load ${load.toFixed(1)} at the start.`,
        'Each contestant first computes all influences, which must agree within 10⁻⁵. Only the second and later times are measured.',
      ],
      columns: ['', 'captions/s', 'slowest', 'fastest', 'to Captious'],
      rows: rateRows(contestants, rates, 2),
      data: { captions: pairs.length, contestants: contestants.map(({ name }, i) => [name, rates[i]]) },
      targets: [
        { what: 'speed relative to a loop that keeps the image', value: relative(own, [kept]), atLeast: 3 },
      ],
    };
  } finally {
    await evaluator.close();
  }
}

function samplePairs(): Pair[] {
  const lines = readFileSync('samples/captions.jsonl', 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { image: string; caption: string })
    .filter(({ caption }) => wordsOf(caption).length >= fewestWords)
    .slice(0, most)
    .map(({ image, caption }) => ({
      caption,
      image: {
        kind: 'image',
        source: { name: image, path: resolve(join('samples', 'images', image)) },
        transforms: [],
      },
    }));
}

function contestant(name: string, run: () => Promise<Float32Array[]>): Contestant {
  return {
    name,
    async round() {
      const begun = performance.now();
      await run();
      return { seconds: (performance.now() - begun) / 1000 };
    },
    vectors: run,
    close: () => Promise.resolve(),
  };
}

function captious(evaluator: Evaluator, pairs: readonly Pair[]): Contestant {
  return contestant('Captious', async () => {
    const bench = createBench();
    try {
      const all: Float32Array[] = [];
      for (const { caption, image } of pairs) {
        const { words } = await explain({ bench, evaluator }, { caption, target: { image } }, options);
        all.push(Float32Array.from(words, ({ influence }) => influence!));
      }
      return all;
    } finally {
      await bench.close();
    }
  });
}

function loop(evaluator: Evaluator, pairs: readonly Pair[]): Contestant {
  return contestant('loop that keeps the image', async () => {
    const all: Float32Array[] = [];
    for (const { caption, image } of pairs) {
      const units = wordsOf(caption);
      const random = (): Random => new Random(options.seed, caption, 'explain.words');
      const plan = planFor(units.length, options.permutations, random);
      const kept = await imageVector(evaluator, image);
      const known = new Map<string, number>();
      const values: number[] = [];
      for (const coalition of plan.coalitions) {
        const text = coalition.every(Boolean) ? caption : keep(caption, units, (unit) => coalition[unit]);
        if (!known.has(text)) {
          const [outcome] = await evaluator.embedTexts!([text || ' ']);
          assert.ok(outcome.ok);
          known.set(text, cosine(outcome.value, kept));
        }
        values.push(known.get(text)!);
      }
      all.push(Float32Array.from(plan.solve(values), ({ value }) => value));
    }
    return all;
  });
}

async function imageVector(evaluator: Evaluator, image: ImageItem): Promise<Float32Array> {
  const [outcome] = await evaluator.embedImages!([image]);
  assert.ok(outcome.ok);
  return outcome.value;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    dot += x * b[i];
    aa += x * x;
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
}

async function sameInfluences([own, ...others]: readonly Contestant[]): Promise<void> {
  const expected = await own.vectors!();
  for (const other of others) {
    const found = await other.vectors!();
    for (const [c, influences] of expected.entries())
      for (const [w, influence] of influences.entries())
        assert.ok(Math.abs(influence - found[c][w]) <= 1e-5, `${other.name}: caption ${c}, word ${w}`);
  }
}
