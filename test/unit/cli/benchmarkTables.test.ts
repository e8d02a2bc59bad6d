import assert from 'node:assert/strict';
import { evaluatorTable, subsetTable } from '../../../src/cli/benchmarkTables';
import type { Metric } from '../../../src/probe/metric';

const of = (id: string, evaluator: string, value: number, more: Partial<Metric> = {}): Metric => ({
  ...{ id: `benchmark.${id}`, value, n: 30, slice: { evaluator } },
  ...more,
});

describe('tables on audited evaluators', () => {
  it('have a line for each evaluator, best first', () => {
    const table = evaluatorTable([
      of('accuracy', 'low', 0.5, { ci: [0.4, 0.6] }),
      of('accuracy', 'high', 0.9, { n: 28 }),
      of('beyondBlind', 'high', 0.75, { ci: [0.6, 0.85], n: 12 }),
      of('beyondBlind.p', 'high', 0.004),
      of('rank', 'high', 1, { ci: [1, 2] }),
      of('rank.kept', 'high', 0.987, { slice: { evaluator: 'high', over: 'low' } }),
    ]);
    const [, , first, second] = table.split('\n');
    assert.match(first, /^high +0\.9000 +28 +0\.7500 +\[0\.6000, 0\.8500\] +0\.0040 +1 \[1, 2\] +98\.7 %$/);
    assert.match(second, /^low +0\.5000 +\[0\.4000, 0\.6000\] +30/);
    assert.equal(evaluatorTable([]), '');
  });

  it('have a line for each size of a subset, with random items of the same size', () => {
    const metrics = [
      ...[of('subset.tau', '', 0.9, { slice: { size: 20, choice: 'by answers' } })],
      ...[of('subset.tau', '', 0.8, { slice: { size: 20, choice: 'random' } })],
      ...[of('subset.error', '', 0.01, { slice: { size: 20, choice: 'by answers' } })],
      ...[of('subset.error', '', 0.02, { slice: { size: 20, choice: 'random' } })],
      ...[of('subset.p', '', 0.03, { slice: { size: 20 } })],
    ];
    assert.match(subsetTable(metrics).split('\n')[2], /^20 +0\.9000 +0\.8000 +0\.0300 +0\.0100 +0\.0200$/);
    assert.equal(subsetTable([]), '');
  });
});
