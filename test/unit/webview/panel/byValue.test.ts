import assert from 'node:assert/strict';
import { exploitView } from '../../../../src/probe/exploit/view';
import { byValue, worstFirst } from '../../../../webview/panel/byValue';

describe('the table of evaluators', () => {
  const values = [0.2, null, 0.7, undefined, 0.2];

  it('is sorted by a metric, with evaluators that have no value last', () => {
    assert.deepEqual(byValue(values, true), [2, 0, 4, 1, 3]);
    assert.deepEqual(byValue(values, false), [0, 4, 2, 1, 3]);
  });
});

describe('the cards of the first screen', () => {
  it('are of the families that raise the score most, without the one that is not counted', () => {
    const values: Readonly<Record<string, number>> = {
      ...{ 'exploit.rate': 0.15, 'exploit.rate.repeat': 0.16, 'exploit.rate.quality': 0.1 },
      ...{ 'exploit.rate.hedge': 0.53, 'exploit.rate.drop': 0.9, 'exploit.rate.empty': 0 },
    };
    const cards = exploitView.cards(Object.entries(values).map(([id, value]) => ({ id, value, n: 20 })));
    const before = cards.map(({ metric }) => metric);
    const after = worstFirst(cards, ({ metric }) => values[metric]).map(({ metric }) => metric);
    assert.deepEqual(after.slice(0, 3), ['exploit.rate', 'exploit.rate.hedge', 'exploit.rate.repeat']);
    assert.equal(after.indexOf('exploit.rate.drop'), before.indexOf('exploit.rate.drop'));
    assert.deepEqual([...after].sort(), [...before].sort());
  });
});
