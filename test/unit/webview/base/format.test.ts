import assert from 'node:assert/strict';
import { opaque, signed } from '../../../../webview/base/format';

describe('a difference', () => {
  it('has ± only if it is a tie', () => {
    assert.deepEqual(
      [0, 4e-4, -4e-4, 0.083].map((value) => signed(value)),
      ['±.000', '+.000', '−.000', '+.083'],
    );
  });
});

describe('a colour of the theme', () => {
  it('becomes opaque and keeps its channels', () => {
    assert.equal(opaque('rgba(234, 92, 0, 0.33)'), 'rgb(234, 92, 0)');
    assert.equal(opaque('#d18616'), '#d18616');
  });
});
