import assert from 'node:assert/strict';
import { bestBaseline, baselinesOf } from '../../../../src/probe/benchmark/best';
import { benchmarkCharts } from '../../../../src/probe/benchmark/charts';
import { benchmarkView } from '../../../../src/probe/benchmark/view';
import type { Metric } from '../../../../src/probe/metric';
import { sentence } from '../../../sentence';

const blind = (name: string, value: number, p: number, chance = 0.5): Metric[] => [
  { id: `benchmark.blind.${name}`, value, n: 100, chance, ci: [value - 0.05, value + 0.05] },
  { id: `benchmark.blind.${name}.p`, value: p, n: 100 },
];

const metrics: Metric[] = [
  { id: 'benchmark.orderBlind.ceiling', value: 0.75, n: 100, chance: 0.5 },
  { id: 'benchmark.orderBlind.ceiling', value: 1, n: 50, chance: 0.5, slice: { kind: 'replace' } },
  { id: 'benchmark.orderBlind.ceiling', value: 0.5, n: 50, chance: 0.5, slice: { kind: 'swap' } },
  { id: 'benchmark.imageBlind.ceiling', value: 1, n: 100, chance: 0.5 },
  { id: 'benchmark.imageBlind.ceiling', value: 1, n: 50, chance: 0.5, slice: { kind: 'replace' } },
  // Above chance by a test; far below chance by a test; and higher, but not by a test.
  ...blind('shorter', 0.64, 0.01),
  ...blind('longer', 0.36, 0.01),
  ...blind('lm', 0.7, 0.2),
  // A first caption has another chance level, so that its lead is larger.
  ...blind('first', 0.6, 0.001, 0.25),
];

describe('the charts of a benchmark', () => {
  it('have the baseline with the highest lead over chance first, and those without a test paler', () => {
    assert.deepEqual(
      baselinesOf(metrics).map(({ name, isAbove }) => [name, isAbove]),
      [
        ['first', true],
        ['lm', false],
        ['shorter', true],
        ['longer', false],
      ],
    );
    const [chart] = benchmarkCharts(metrics);
    assert.deepEqual(
      chart.values.map(({ share, pale }) => [share, pale]),
      [
        [0.6, undefined],
        [0.7, true],
        [0.64, undefined],
        [0.36, true],
      ],
    );
    assert.deepEqual(
      [chart.chance, chart.facet, chart.values[0].interval?.length],
      [undefined, undefined, 2],
    );
    const [same] = benchmarkCharts(metrics.filter(({ id }) => !id.includes('first')));
    assert.equal(same.chance, 0.5);
  });

  it('have the slices of ceilings that are below 1 anywhere', () => {
    assert.deepEqual(
      benchmarkCharts(metrics)
        .slice(1)
        .map(({ id, values }) => [id, values.map(({ value, share }) => [value, share])]),
      [
        [
          'benchmark.orderBlind.ceiling kind',
          [
            ['replace', 1],
            ['swap', 0.5],
          ],
        ],
      ],
    );
  });

  it('name no best baseline if none is above chance', () => {
    const without = metrics.filter(({ id }) => !id.endsWith('.p'));
    assert.equal(bestBaseline(without), undefined);
    assert.deepEqual(
      benchmarkView.cards(without).map(({ metric }) => metric),
      ['benchmark.orderBlind.ceiling', 'benchmark.imageBlind.ceiling'],
    );
    assert.equal(benchmarkView.cards(metrics)[0].metric, 'benchmark.blind.first');
  });

  it('have marks only for items with a ceiling or a fault', () => {
    const row = (credits: Record<string, number>, faults?: string[]) =>
      benchmarkView.rows.mark({
        ...{ example: '1', row: 0, captions: ['a', 'b'], right: 0, credits },
        ...(faults === undefined ? {} : { faults }),
      });
    const whole = { orderBlind: 1, imageBlind: 1, left: 1 };
    const plain = row(whole);
    assert.deepEqual([plain.hint, plain.flagged], [undefined, undefined]);
    const ordered = row({ ...whole, orderBlind: 0.5 });
    assert.deepEqual([ordered.hint, ordered.flagged], [sentence('benchmark.needsOrder'), undefined]);
    const faulty = row({ ...whole, orderBlind: 0.5 }, ['equal']);
    assert.deepEqual([faulty.hint, faulty.flagged], [undefined, true]);
  });
});
