import assert from 'node:assert/strict';
import { atOnce } from '../../../../../src/base/turns/steps';
import { Draws } from '../../../../../src/stats/draws';
import { benchmark, checkItems } from '../../../../../src/probe/benchmark/benchmark';
import type { Item } from '../../../../../src/probe/benchmark/items';
import { type Metric, metricOf } from '../../../../../src/probe/metric';
import type { AuditedEvaluator } from '../../../../../src/probe/benchmark/evaluators/asked';

/** Items with a longer right caption, except every fourth one, whose right caption is shorter. */
function itemsOf(n: number): Item[] {
  return Array.from({ length: n }, (_, i) => {
    const captions = [`w${i} a`, `w${i} a b c`];
    return {
      ...{ example: String(i), row: i, image: `${i}.jpg`, observation: `${i}.jpg`, isList: false, tags: {} },
      ...{ captions: i % 4 === 0 ? captions : captions.reverse(), right: 0 },
    };
  });
}

function evaluator(name: string, credit: (i: number) => number, n: number): AuditedEvaluator {
  return { name, credits: Float64Array.from({ length: n }, (_, i) => credit(i)) };
}

const codes = (words: readonly unknown[]): string[] => words.map((own) => (own as { code: string }).code);
const textsOf = (metrics: readonly Metric[]): string[] =>
  codes(benchmark.claims(metrics).map(({ text }) => text));

describe('audited evaluators of a benchmark', () => {
  it('have an accuracy on the items that no blind baseline solves', () => {
    const n = 200;
    const evaluators = [
      evaluator('longer', (i) => (i % 4 === 0 ? 0 : 1), n),
      evaluator('sees', (i) => (i % 10 === 1 ? 0 : 1), n),
      evaluator('ties', () => 0.5, n),
    ];
    const found = atOnce(checkItems(itemsOf(n), 1, { evaluators }));
    const value = (id: string, name: string): number | null =>
      metricOf(found.metrics, `benchmark.${id}`, { evaluator: name })!.value;
    // The regression on words solves all items by c, of which three in four are right.
    assert.equal(metricOf(found.metrics, 'benchmark.left')!.value, 0.25);
    assert.deepEqual(
      ['longer', 'sees', 'ties'].map((name) => [value('accuracy', name), value('beyondBlind', name)]),
      [
        [0.75, 0],
        [0.9, 1],
        [0.5, 0.5],
      ],
    );
    assert.deepEqual([value('beyondBlind.loss', 'longer'), value('rank', 'sees')], [0.75, 1]);
    const { ci, n: beyond } = metricOf(found.metrics, 'benchmark.beyondBlind', { evaluator: 'longer' })!;
    assert.ok(ci![1] < 0.2 && beyond === 50);
    assert.ok(value('beyondBlind.p', 'sees')! < 1e-6);
    const claims = textsOf(found.metrics);
    assert.deepEqual(claims.slice(-2), ['benchmark.beyondBlindAbove', 'benchmark.beyondBlindNotAbove']);
    const above = benchmark.claims(found.metrics).at(-2)!.text as { values: string[] };
    assert.deepEqual(above.values, ['1', 'sees (100.0 %)']);
    const kept = metricOf(found.metrics, 'benchmark.rank.kept', { evaluator: 'sees', over: 'longer' })!;
    assert.ok(kept.value! > 0.99);
  });

  it('have no verdict below 20 images, and no models with fewer than three evaluators', () => {
    const n = 12;
    const evaluators = [evaluator('a', () => 1, n), evaluator('b', (i) => (i < 6 ? 0 : NaN), n)];
    const found = atOnce(checkItems(itemsOf(n), 1, { evaluators }));
    assert.deepEqual(codes(found.warnings), ['benchmark.tooFewForModels', 'benchmark.tooFewForSubset']);
    assert.ok(!found.metrics.some(({ id }) => /rank|ability|suspects|\.p$|subset/.test(id)));
    assert.deepEqual(
      textsOf(found.metrics).filter((code) => code.startsWith('benchmark.beyond')),
      [],
    );
    const [first, , , , , , last] = [...found.rows];
    assert.deepEqual(
      [first.evaluators, last.evaluators],
      [{ credits: { a: 1, b: 0 } }, { credits: { a: 1 } }],
    );
  });

  it('suspect planted wrong labels, count items that all answer alike, and choose a subset', () => {
    const [n, wrong] = [400, 20];
    const draws = new Draws('evaluators test');
    const hardness = Float64Array.from({ length: n }, () => draws.uniform());
    const evaluators = Array.from({ length: 12 }, (_, e) =>
      evaluator(
        `e${e}`,
        (i) => {
          if (i >= n - 10) return 1;
          const isRight = draws.uniform() < 0.55 + 0.4 * (e / 11) * (1.1 - hardness[i]);
          return isRight === i >= wrong ? 1 : 0;
        },
        n,
      ),
    );
    const found = atOnce(checkItems(itemsOf(n), 1, { evaluators }));
    const metric = (id: string): number => metricOf(found.metrics, `benchmark.${id}`)!.value!;
    const rows = [...found.rows];
    const first = rows.filter(({ evaluators: own }) => own!.suspect! <= 10).map(({ row }) => row);
    assert.ok(first.filter((row) => row < wrong).length >= 7, first.join());
    assert.equal(metric('suspects'), rows.filter(({ evaluators: own }) => own!.wrongLabel! > 0.5).length);
    assert.ok(metric('allRight') >= 10);
    const inSubset = rows.filter(({ evaluators: own }) => own!.subset).length;
    assert.equal(inSubset, metricOf(found.metrics, 'benchmark.subset.size')!.value ?? 0);
    const abilities = found.metrics.filter(({ id }) => id === 'benchmark.ability');
    assert.equal(abilities.length, 12);
    assert.ok(abilities[11].value! > abilities[0].value!);
    const again = atOnce(checkItems(itemsOf(n), 1, { evaluators }));
    assert.deepEqual([again.metrics, [...again.rows]], [found.metrics, rows]);
  });
});
