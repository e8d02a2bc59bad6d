import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { createBench } from '../../../src/bench/createBench';
import {
  explain,
  type ExplainOptions,
  explainTwo,
  mostPairs,
  optionsFor,
  usualOptions,
} from '../../../src/explain/explain';
import type { WordsExplained } from '../../../src/explain/words';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { FakeEvaluator } from '../bench/fakeEvaluator';
import { bag, hiddenCell, image, planted, wordsIn } from './planted';

const weights = {
  a: 0.25,
  red: 3,
  bus: 5,
  and: -1,
  two: 0.5,
  dogs: 2,
  run: -4,
  past: 0.125,
  it: 7,
  on: 1,
  ice: -2,
  now: 6,
};
const short = 'A red bus and two dogs.';
const long = 'A red bus and two dogs run past it on ice now.';

async function explained(evaluator: Evaluator, caption: string, given: Partial<ExplainOptions> = {}) {
  const bench = createBench();
  try {
    return await explain(
      { bench, evaluator },
      { caption, target: { image } },
      { ...optionsFor(evaluator, given), ...(given.grid === undefined ? { grid: undefined } : {}), ...given },
    );
  } finally {
    await bench.close();
  }
}

const near = (a: number | null | undefined, b: number): void =>
  assert.ok(a !== null && a !== undefined && Math.abs(a - b) <= 1e-9, `${a} instead of ${b}`);

describe('influence of words', () => {
  it('equals the planted weights of a bag of words, by either method', async () => {
    for (const method of ['shapley', 'leave-one-out'] as const) {
      const { words, score, base, sum, exact } = await explained(planted(bag(weights, 0.5)), short, {
        method,
      });
      assert.deepEqual(
        words.map(({ word }) => word),
        ['A', 'red', 'bus', 'and', 'two', 'dogs'],
      );
      for (const { word, influence, without, ci } of words) {
        near(influence, weights[word.toLowerCase() as keyof typeof weights]);
        near(without, score - influence!);
        assert.equal(ci, undefined);
      }
      near(score, 0.5 + 9.75);
      near(base, 0.5);
      near(sum, 9.75);
      assert.ok(exact);
    }
  });

  it('shares an interaction between its two words', async () => {
    const both = (text: string): number => {
      const words = wordsIn(text);
      return bag(weights)(text) + (words.includes('red') && words.includes('bus') ? 4 : 0);
    };
    const { words, score, base, sum } = await explained(planted(both), short);
    near(words[1].influence, 3 + 2);
    near(words[2].influence, 5 + 2);
    near(words[5].influence, 2);
    near(sum, score - base!);
    const alone = await explained(planted(both), short, { method: 'leave-one-out' });
    near(alone.words[1].influence, 3 + 4);
  });

  it('weights coalitions by hand: an order of three words', async () => {
    // 1 if "red" comes without "bus", 10 if both are there: red = (1 + 1 + 1 + 1 …) by the definition.
    const value = (text: string): number => {
      const [red, bus] = ['red', 'bus'].map((word) => wordsIn(text).includes(word));
      return red ? (bus ? 10 : 1) : 0;
    };
    const { words } = await explained(planted(value), 'red bus now');
    // Red joins before the bus in half of all orders (1), and after it in the other half (10).
    near(words[0].influence, 5.5);
    near(words[1].influence, 4.5);
    near(words[2].influence, 0);
  });

  it('samples orders of more than ten words, and sums to the difference of the scores', async () => {
    const evaluator = planted((text) => bag(weights)(text) + (wordsIn(text).length % 3) / 3);
    const first = await explained(evaluator, long, { permutations: 40 });
    assert.equal(first.exact, false);
    assert.equal(first.permutations, 40);
    near(first.sum, first.score - first.base!);
    for (const { ci, influence } of first.words) assert.ok(ci![0] <= influence! && influence! <= ci![1]);
    assert.ok(first.words.some(({ ci }) => ci![1] - ci![0] > 0));
    assert.deepEqual(await explained(evaluator, long, { permutations: 40 }), first);
    assert.notDeepEqual(await explained(evaluator, long, { permutations: 40, seed: 7 }), first);
  });

  it('gives the leave-one-out influences before any other text is scored', async () => {
    const evaluator = planted(bag(weights, 0.5));
    const bench = createBench();
    try {
      const arrived: [string, number, (number | null)[]][] = [];
      const options = { ...optionsFor(evaluator), grid: { rows: 4, columns: 4, fill: 'grey' as const } };
      const onWords = ({ method, words }: WordsExplained): number =>
        arrived.push([method, evaluator.batches.flat().length, words.map(({ influence }) => influence)]);
      const parts = { bench, evaluator, onWords };
      const { words } = await explain(parts, { caption: short, target: { image } }, options);
      const alone = await explained(planted(bag(weights, 0.5)), short, { method: 'leave-one-out' });
      assert.deepEqual(
        arrived.map(([method, texts]) => [method, texts]),
        // The caption, no words, and the caption without each of its 6 words. Then all 2^6 captions.
        [
          ['leave-one-out', 8],
          ['shapley', 64],
        ],
      );
      assert.deepEqual(
        arrived.map(([, , influences]) => influences),
        [alone, { words }].map((one) => one.words.map(({ influence }) => influence)),
      );
    } finally {
      await bench.close();
    }
  });

  it('has intervals of no width where every order gives the same', async () => {
    const { words } = await explained(planted(bag(weights)), long, { permutations: 8 });
    for (const { word, influence, ci } of words) {
      near(influence, weights[word.toLowerCase() as keyof typeof weights]);
      near(ci![1] - ci![0], 0);
    }
  });

  it('refuses captions of too many words', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
    const evaluator = planted(() => 1);
    for (const [method, most] of [
      ['shapley', 100],
      ['leave-one-out', 1000],
    ] as const) {
      const found = await explained(evaluator, words(most), { method, permutations: 4 });
      assert.equal(found.words.length, most);
      await assert.rejects(explained(evaluator, words(most + 1), { method }), (error: unknown) => {
        assert.ok(error instanceof CaptiousError && typeof error.what !== 'string');
        assert.deepEqual(error.what, {
          code: 'explain.tooManyWords',
          values: [String(most + 1), String(most)],
        });
        return true;
      });
    }
  });

  it('says which text has no score, unless only that word is affected', async () => {
    const refuses = planted((text) => (wordsIn(text).length === 0 ? 'no words' : bag(weights)(text)));
    await assert.rejects(explained(refuses, short), (error: unknown) => {
      assert.ok(error instanceof CaptiousError && typeof error.what !== 'string');
      assert.equal(error.what.code, 'explain.unscored');
      assert.equal(error.what.values[2], 'no words');
      return true;
    });
    const { base, words } = await explained(refuses, short, { method: 'leave-one-out' });
    assert.equal(base, null);
    near(words[1].influence, 3);
  });

  it('compares two texts if the evaluator scores no images', async () => {
    const evaluator = new FakeEvaluator({ info: { kind: 'text-encoder', scores: ['text-text'] } });
    const bench = createBench();
    const parts = { bench, evaluator };
    const pair = { caption: 'A red bus', target: { text: 'A bus' } };
    const { against, score, base, sum } = await explain(parts, pair, { ...usualOptions, table: false });
    assert.equal(against, 'A bus');
    near(sum, score - base!);
    await assert.rejects(
      explain(parts, { ...pair, target: { image } }, { ...usualOptions, table: false }),
      (error: unknown) =>
        error instanceof CaptiousError &&
        typeof error.what !== 'string' &&
        error.what.code === 'explain.scoresNoImages',
    );
    await bench.close();
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const evaluator = new FakeEvaluator({ onBatch: () => stop.abort(), turns: 3 });
    const bench = createBench();
    await assert.rejects(
      explain(
        { bench, evaluator, signal: stop.signal },
        { caption: long, target: { image } },
        { ...usualOptions, table: true },
      ),
      (error: unknown) => error instanceof CaptiousError && error.kind === 'interrupted',
    );
    await bench.close();
  });
});

describe('influence of regions', () => {
  const grid = { rows: 4, columns: 5, fill: 'grey' as const };
  const worth = Array.from({ length: 20 }, (_, cell) => (cell % 7) / 4);
  const visible = (hidden: number | undefined): number =>
    worth.reduce((sum, value, cell) => sum + (cell === hidden ? 0 : value), 0);

  it('equals what a counter of regions counts', async () => {
    const counter = planted((_text, one) => visible(hiddenCell(one)));
    const { regions, grid: own } = await explained(counter, short, { grid });
    assert.deepEqual(own, grid);
    assert.equal(regions?.length, 20);
    for (const { row, column, influence } of regions!) near(influence, worth[5 * row + column]);
    assert.equal(regions![0].words, undefined);
  });

  it('says which region a word needs', async () => {
    // The word "bus" counts only while cell 7 is visible, "dogs" only while cell 12 is.
    const needs = planted((text, one) => {
      const hidden = hiddenCell(one);
      const words = wordsIn(text);
      return (
        (words.includes('bus') && hidden !== 7 ? 5 : 0) + (words.includes('dogs') && hidden !== 12 ? 2 : 0)
      );
    });
    const { regions, words } = await explained(needs, short, { grid, table: true });
    for (const [cell, { words: own }] of regions!.entries())
      for (const [i, value] of own!.entries())
        near(
          value,
          words[i].word === 'bus' && cell === 7 ? 5 : words[i].word === 'dogs' && cell === 12 ? 2 : 0,
        );
  });

  it('shares encodings: each text and each image is encoded once', async () => {
    const evaluator = new FakeEvaluator();
    const { budget } = await explained(evaluator, 'A red bus', {
      grid: { ...grid, rows: 4, columns: 4 },
      table: true,
    });
    const texts = evaluator.embedded.filter((name) => name !== image.source.name);
    assert.equal(texts.length, 2 ** 3);
    assert.equal(evaluator.embedded.length - texts.length, 17);
    assert.equal(budget.pairs, 2 ** 3 + 16 * 4);
    assert.ok(budget.pairs <= mostPairs('A red bus', { ...usualOptions, table: true }));
  });
});

describe('influence of a change', () => {
  const parts = (evaluator: Evaluator) => ({ bench: createBench(), evaluator });
  const pair = { caption: 'A red bus and two dogs', target: { image } };

  it('gives each changed word its part of the difference', async () => {
    const evaluator = planted(bag({ ...weights, blue: 1, cats: -3 }));
    const { changes, difference, exact } = await explainTwo(
      parts(evaluator),
      pair,
      'A blue bus and two cats',
      usualOptions,
    );
    assert.deepEqual(
      changes.map(({ from, to }) => [from, to]),
      [
        ['red', 'blue'],
        ['dogs', 'cats'],
      ],
    );
    near(changes[0].influence, 1 - 3);
    near(changes[1].influence, -3 - 2);
    near(difference, -7);
    assert.ok(exact);
  });

  it('understands added, removed and moved words', async () => {
    const evaluator = planted(bag(weights));
    const two = (other: string) => explainTwo(parts(evaluator), pair, other, usualOptions);
    const pairs = async (other: string) => (await two(other)).changes.map(({ from, to }) => [from, to]);
    assert.deepEqual(await pairs('A red bus and two dogs run'), [['', 'run']]);
    assert.deepEqual(await pairs('bus and two dogs'), [['A red', '']]);
    assert.deepEqual(await pairs('now A red bus and two dogs'), [['', 'now']]);
    near((await two('now A red bus and two dogs')).changes[0].influence, 6);
    await assert.rejects(
      async () => two(pair.caption),
      (error: unknown) =>
        error instanceof CaptiousError &&
        typeof error.what !== 'string' &&
        error.what.code === 'explain.sameCaptions',
    );
  });

  it('finds the region that decides', async () => {
    const evaluator = planted((text, one) =>
      wordsIn(text).includes('blue') && hiddenCell(one) !== 3 ? 1 : wordsIn(text).includes('red') ? 4 : 0,
    );
    const { regions, difference } = await explainTwo(parts(evaluator), pair, 'A blue bus and two dogs', {
      ...usualOptions,
      grid: { rows: 4, columns: 4, fill: 'mean' },
    });
    near(difference, -3);
    for (const [cell, { influence }] of regions!.entries()) near(influence, cell === 3 ? 1 : 0);
  });
});
