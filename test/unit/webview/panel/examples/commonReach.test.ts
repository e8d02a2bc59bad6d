import assert from 'node:assert/strict';
import { commonReach } from '../../../../../webview/panel/examples/commonReach';

describe('bars of several evaluators', () => {
  it('have one scale, unless their scores have different units', () => {
    assert.deepEqual(commonReach([0.033, 0.342]), [0.342, 0.342]);
    assert.deepEqual(commonReach([0.033, 12]), [0.033, 12]);
    assert.deepEqual(commonReach([0, 0.3]), [0, 0.3]);
    assert.deepEqual(commonReach([0.2]), [0.2]);
    assert.deepEqual(commonReach([]), []);
  });
});
