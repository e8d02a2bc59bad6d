import assert from 'node:assert/strict';
import type { PanelMetric } from '../../../../../src/protocol/panel';
import type { Chart } from '../../../../../src/protocol/parts/chart';
import { say } from '../../../../../src/base/say';
import { ofEvaluator, withIntervals, withNames } from '../../../../../webview/panel/charts/intervals';

const number = { value: 'number', n: 40, share: 0.68 };

function charted(values: Extract<Chart, { type: 'shares' }>['values'], metrics: PanelMetric[]) {
  const [chart] = withIntervals(
    [{ type: 'shares', id: 'kind', title: 'kind', facet: 'kind', values }],
    metrics,
  );
  assert.ok(chart.type === 'shares');
  return chart.values[0];
}

describe('charts of shares', () => {
  const pr: PanelMetric = { id: 'lgip.pr.number', value: 0.675, n: 31, ci: [0.46, 0.83] };

  it('have the value, the n and the interval of their metric', () => {
    const { share, n, interval } = charted([{ ...number, metrics: [{ id: 'lgip.pr.number' }] }], [pr]);
    assert.deepEqual([share, n, interval], [0.675, 31, [0.46, 0.83]]);
  });

  it('use the first metric that the report has', () => {
    const metrics = [{ id: 'lgip.missing' }, { id: 'lgip.pr.number' }];
    assert.deepEqual(charted([{ ...number, metrics }], [pr]).interval, [0.46, 0.83]);
  });

  it('distinguish a slice from the whole and from other slices', () => {
    const metrics = [{ id: 'lgip.pr', slice: { words: 'few' } }];
    const others: PanelMetric[] = [
      { ...pr, id: 'lgip.pr' },
      { ...pr, id: 'lgip.pr', slice: { words: 'many' } },
      { ...pr, id: 'lgip.pr', slice: { words: 'few', flip: 'number' } },
    ];
    assert.equal(charted([{ ...number, metrics }], others).interval, undefined);
    const own: PanelMetric = { ...pr, id: 'lgip.pr', slice: { words: 'few' }, ci: [0.1, 0.2] };
    assert.deepEqual(charted([{ ...number, metrics }], [...others, own]).interval, [0.1, 0.2]);
  });

  it('have no interval if the report has none', () => {
    const { share, n, interval } = charted([{ ...number, metrics: [] }], [pr]);
    assert.deepEqual([share, n, interval], [0.68, 40, undefined]);
    assert.equal(charted([{ ...number, metrics: [{ id: 'other' }] }], [pr]).interval, undefined);
  });
});

describe('titles of charts of several evaluators', () => {
  it('name the evaluator of the chart, or both', () => {
    const axis = { title: 'lead' };
    const shares: Chart = { type: 'shares', id: 'kind', title: 'kind', facet: 'kind', values: [] };
    const versus: Chart = {
      ...({ type: 'versus', id: 'versus', title: 'lead', x: axis, y: axis } as const),
      ...{ points: [], of: 0 },
    };
    const titles = ofEvaluator(withNames([shares, versus], ['Starter', 'clip']), 'Starter').map(
      ({ title }) => title,
    );
    assert.deepEqual(titles, [
      say('base.labelledPart', 'Starter', 'kind'),
      say('panel.valueAgainstOther', 'Starter', 'clip'),
    ]);
  });
});
