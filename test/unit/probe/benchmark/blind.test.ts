import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { say } from '../../../../src/base/say';
import { atOnce } from '../../../../src/base/turns/steps';
import { benchmark, checkItems } from '../../../../src/probe/benchmark/benchmark';
import { type Baseline, blindMetric } from '../../../../src/probe/benchmark/blind/baselines';
import { Corpus, foldCount } from '../../../../src/probe/benchmark/blind/corpus';
import { testedBaselines } from '../../../../src/probe/benchmark/blind/verdict';
import type { Item } from '../../../../src/probe/benchmark/items';
import { benchmarkView } from '../../../../src/probe/benchmark/view';
import { type Metric, metricOf } from '../../../../src/probe/metric';
import type { BenchmarkRow } from '../../../../src/probe/benchmark/row';

const words = 'dog cat man boy girl car bus tree house road bird fish cup table lamp hat'.split(' ');

type Made = Pick<Item, 'captions' | 'right'> & { image?: string; isList?: boolean };

function itemsFrom(n: number, make: (draws: Random, i: number) => Made): Item[] {
  return Array.from({ length: n }, (_, i) => {
    const { image = `${i}.jpg`, isList = true, ...made } = make(new Random('blind', i), i);
    return { example: String(i), row: i, image, observation: image, isList, tags: {}, ...made };
  });
}

/** A caption of this many words. */
const caption = (draws: Random, length: number): string =>
  Array.from({ length }, () => draws.pick(words)).join(' ');

/** Two captions in random order. */
const shuffled = (draws: Random, right: string, wrong: string): Made =>
  draws.below(2) === 0 ? { captions: [right, wrong], right: 0 } : { captions: [wrong, right], right: 1 };

interface Measured {
  metrics: Metric[];
  rows: BenchmarkRow[];
  value: (name: Baseline) => number;
  above: string[];
  best: string | undefined;
}

function measured(items: readonly Item[], seed = 42): Measured {
  const { metrics, rows } = atOnce(checkItems(items, seed));
  const above = testedBaselines(metrics).filter(({ isAbove }) => isAbove);
  return {
    metrics,
    rows: [...rows],
    value: (name) => metricOf(metrics, blindMetric(name))!.value!,
    above: above.map(({ name }) => name).sort(),
    best: above.at(0)?.name,
  };
}

describe('blind baselines', () => {
  it('find that right captions are shorter', () => {
    const found = measured(
      itemsFrom(200, (draws) =>
        shuffled(draws, caption(draws, 5), caption(draws, draws.below(5) === 0 ? 4 : 7)),
      ),
    );
    assert.ok(
      found.value('shorter') > 0.7 && found.above.includes('shorter') && !found.above.includes('longer'),
    );
    const shorter = found.rows.filter(({ credits }) => credits.shorter === 1).length;
    assert.equal(found.value('shorter'), shorter / 200);
    assert.ok(Math.abs(found.value('shorter') + found.value('longer') - 1) < 1e-12);
    assert.equal(metricOf(found.metrics, 'benchmark.left')!.value, metricLeft(found));
  });

  it('leave all items if none is better than chance, which says nothing and has no card', () => {
    const found = measured(itemsFrom(40, (draws) => shuffled(draws, caption(draws, 5), caption(draws, 5))));
    assert.deepEqual(found.above, []);
    const left = metricOf(found.metrics, 'benchmark.left')!;
    assert.deepEqual([left.value, left.moot, left.note], [1, true, say('benchmark.leftOfNone')]);
    const cards = (metrics: readonly Metric[]) =>
      benchmarkView.cards(metrics).filter(({ metric }) => metric === 'benchmark.left').length;
    assert.deepEqual([cards(found.metrics), cards([{ ...left, moot: false }])], [0, 1]);
  });

  it('find the place of the right caption in a list, and only there', () => {
    const first = (isList: boolean) => (draws: Random, i: number) => ({
      ...{ captions: [caption(draws, 5), caption(draws, 5)], right: i % 10 === 0 ? 1 : 0, isList },
    });
    const found = measured(itemsFrom(100, first(true)));
    assert.deepEqual([found.value('first'), found.best], [0.9, 'first']);
    assert.equal(metricOf(measured(itemsFrom(100, first(false))).metrics, blindMetric('first')), undefined);
  });

  it('find repeated words', () => {
    const found = measured(
      itemsFrom(100, (draws) => {
        const right = draws.shuffle(words).slice(0, 6);
        return shuffled(draws, right.join(' '), [...right.slice(0, 5), right[0]].join(' '));
      }),
    );
    assert.equal(found.value('typeToken'), 1);
  });

  it('find words of wrong captions by logistic regression and by frequency', () => {
    const found = measured(
      itemsFrom(200, (draws) => {
        const same = caption(draws, 4);
        return shuffled(
          draws,
          `${same} ${draws.pick(words)}`,
          `${same} ${draws.pick(['purple', 'ninja', 'moon'])}`,
        );
      }),
    );
    assert.ok(found.value('unigram') > 0.97 && found.value('frequency') > 0.97);
    assert.ok(found.above.includes('unigram') && found.above.includes('bigram'));
  });

  it('find unnatural orders of words by pairs of words, as in ARO', () => {
    const orders = itemsFrom(300, (draws) => {
      const [a, b] = [draws.pick(words), draws.pick(words)];
      const right = ['a', a, 'is', 'next', 'to', 'the', b];
      return shuffled(draws, right.join(' '), draws.shuffle(right).join(' '));
    }).filter(({ captions: [a, b] }) => a !== b);
    const found = measured(orders);
    assert.ok(found.value('lm') > 0.9 && found.value('bigram') > 0.9);
    assert.ok(
      ['shorter', 'longer', 'unigram', 'frequency', 'typeToken'].every(
        (name) => found.value(name as Baseline) === 0.5,
      ),
    );
    assert.equal(metricOf(found.metrics, 'benchmark.orderBlind.ceiling')!.value, 0.5);
  });

  it('are at chance on random benchmarks: at most 3 of 20 have a false verdict', () => {
    let wrong = 0;
    for (let round = 0; round < 20; round++) {
      const items = itemsFrom(120, (_, i) => {
        const draws = new Random('null', round, i);
        const make = () => caption(draws, 4 + draws.below(5));
        // Images have several items, which share their right caption.
        const right = new Random('null right', round, i >> 1);
        return { ...shuffled(draws, caption(right, 4 + right.below(5)), make()), image: String(i >> 1) };
      });
      const { metrics } = measured(items);
      const [claim] = benchmark.claims(metrics);
      assert.ok(claim);
      if (typeof claim.text !== 'string' && claim.text.code === 'benchmark.bestBlind') wrong++;
    }
    assert.ok(wrong <= 3, `${wrong} of 20`);
  });

  it('adjust their p values together', () => {
    const { metrics } = measured(
      itemsFrom(60, (draws) => shuffled(draws, caption(draws, 4), caption(draws, 6))),
    );
    const ps = metrics.filter(({ id }) => id.endsWith('.p'));
    assert.equal(ps.length, testedBaselines(metrics).length);
    assert.ok(ps.every(({ value }) => value! >= 0 && value! <= 1));
  });

  it('have no verdict below 20 images', () => {
    const { metrics } = measured(
      itemsFrom(19, (draws) => shuffled(draws, caption(draws, 4), caption(draws, 6))),
    );
    assert.deepEqual([testedBaselines(metrics), benchmark.claims(metrics)], [[], []]);
  });
});

describe('the folds of a benchmark', () => {
  const items = itemsFrom(400, (draws, i) => ({
    ...shuffled(draws, caption(draws, 4), caption(draws, 4)),
    image: `${i % 100}.jpg`,
  }));

  it('keep the items of an image together, in any order of the file', () => {
    const { folds } = new Corpus(items, 42);
    assert.ok(folds.every((fold, i) => fold === folds[i % 100]));
    assert.deepEqual(new Set(folds).size, foldCount);
    const backwards = new Corpus(items.toReversed(), 42).folds;
    assert.deepEqual([...backwards].reverse(), [...folds]);
    assert.notDeepEqual([...new Corpus(items, 43).folds], [...folds]);
  });

  it('give the same accuracies in any order of the file', () => {
    const [one, other] = [items, items.toReversed()].map((list) => measured(list));
    for (const name of ['frequency', 'lm'] as const) assert.equal(one.value(name), other.value(name));
  });

  it('hide the words of an image from the models that score it', () => {
    // Each image has its own words, so that models of other images know nothing of them.
    const own = itemsFrom(50, (draws, i) => shuffled(draws, `r${i}`, `w${i}`));
    const found = measured(own);
    assert.deepEqual([found.value('unigram'), found.value('bigram'), found.value('lm')], [0.5, 0.5, 0.5]);
  });
});

function metricLeft({ rows, above }: Measured): number {
  const isLeft = ({ credits }: BenchmarkRow): boolean => above.every((name) => credits[name] < 1);
  return rows.filter(isLeft).length / rows.length;
}
