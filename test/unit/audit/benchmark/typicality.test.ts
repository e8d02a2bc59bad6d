import assert from 'node:assert/strict';
import { typicalityOf } from '../../../../src/audit/benchmark/typicality';
import type { Outcome } from '../../../../src/base/outcome';
import type { Bench } from '../../../../src/bench/bench';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { foldOf } from '../../../../src/probe/benchmark/blind/corpus';
import type { Item } from '../../../../src/probe/benchmark/items';

const { signal } = new AbortController();
const evaluator = { info: { name: 'planted', prefix: 'about ' } } as Evaluator;

/** Embeds texts as planted vectors; others fail. */
function bench(vectors: Readonly<Record<string, readonly number[]>>): Bench {
  return {
    embeddings: async (_: Evaluator, texts: readonly { text: string }[]) =>
      texts.map(({ text }): Outcome<Float32Array> => {
        const vector = vectors[text.replace('about ', '')] as readonly number[] | undefined;
        return vector === undefined || !text.startsWith('about ')
          ? { ok: false, problem: 'unknown' }
          : { ok: true, value: Float32Array.from(vector) };
      }),
  } as unknown as Bench;
}

function item(observation: string, captions: string[]): Item {
  return { example: observation, row: 0, observation, captions, right: 0, isList: true, tags: {} };
}

/** Names of images in different folds. */
function imagesInFolds(seed: number, count: number): string[] {
  const names: string[] = [];
  for (let i = 0; names.length < count; i++)
    if (!names.some((name) => foldOf(seed, name) === foldOf(seed, `${i}.jpg`))) names.push(`${i}.jpg`);
  return names;
}

describe('the typicality of captions', () => {
  const vectors = { up: [0, 5], right: [2, 0], wrong: [3, 4], 'too long': [] };

  it('is the cosine with the mean of right captions of other folds, each of length 1', async () => {
    const [a, b, c] = imagesInFolds(42, 3);
    const items = [
      item(a, ['up', 'wrong']),
      item(b, ['right', 'wrong']),
      item(b, ['right', 'lost']),
      item(c, ['up', 'wrong']),
    ];
    const score = await typicalityOf(items, 42, { evaluator, bench: bench(vectors), signal });
    const near = (own: number, expected: number): void =>
      assert.ok(Math.abs(own - expected) < 1e-9, `${own}`);
    // Without the fold of a: right once and up once, so that the mean points to (1, 1).
    near(score('wrong', foldOf(42, a)), (0.6 + 0.8) / Math.SQRT2);
    // Without the fold of b: up, once in each of two folds.
    near(score('wrong', foldOf(42, b)), 0.8);
    near(score('right', foldOf(42, b)), 0);
    assert.ok(Number.isNaN(score('lost', foldOf(42, b))));
  });

  it('fails if the encoder embeds no caption', async () => {
    const items = [item('1.jpg', ['unknown', 'unknown too'])];
    await assert.rejects(typicalityOf(items, 42, { evaluator, bench: bench({}), signal }), {
      what: { code: 'benchmark.nothingEmbedded', values: ['planted'] },
    });
  });
});
