import assert from 'node:assert/strict';
import type { Card, PanelMetric } from '../../../../src/protocol/panel';
import { inSpreads } from '../../../../webview/panel/inSpreads';

const card: Card = {
  metric: 'lgip.inv',
  title: 'Invariance error',
  about: '',
  style: 'number',
  range: [0, 0.1],
};
const report = (...ids: string[]) => ({ metrics: ids.map((id): PanelMetric => ({ id, value: 0.2, n: 40 })) });
const both = report('lgip.inv', 'lgip.inv.relative');

describe('a card in units of the score', () => {
  it('shows several evaluators in their spreads', () => {
    const { metric, range } = inSpreads(card, [both, both]);
    assert.deepEqual([metric, range], ['lgip.inv.relative', [0, 1]]);
  });

  it('shows one evaluator, and evaluators without a spread, as they are', () => {
    assert.equal(inSpreads(card, [both]), card);
    assert.equal(inSpreads(card, [both, report('lgip.inv')]), card);
    assert.equal(inSpreads({ ...card, metric: 'lgip.pr' }, [both, both]).metric, 'lgip.pr');
  });
});
