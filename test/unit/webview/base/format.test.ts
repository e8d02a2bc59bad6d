import assert from 'node:assert/strict';
import { opaque } from '../../../../webview/base/format';

describe('a colour of the theme', () => {
  it('becomes opaque and keeps its channels', () => {
    assert.equal(opaque('rgba(234, 92, 0, 0.33)'), 'rgb(234, 92, 0)');
    assert.equal(opaque('#d18616'), '#d18616');
  });
});
