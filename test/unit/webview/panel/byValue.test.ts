import assert from 'node:assert/strict';
import { byValue } from '../../../../webview/panel/byValue';

describe('the table of evaluators', () => {
  const values = [0.2, null, 0.7, undefined, 0.2];

  it('is sorted by a metric, with evaluators that have no value last', () => {
    assert.deepEqual(byValue(values, true), [2, 0, 4, 1, 3]);
    assert.deepEqual(byValue(values, false), [0, 4, 2, 1, 3]);
  });
});
