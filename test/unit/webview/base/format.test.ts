import assert from 'node:assert/strict';
import { onAxis, opaque, signed } from '../../../../webview/base/format';

describe('a difference', () => {
  it('has ± only if it is a tie', () => {
    assert.deepEqual(
      [0, 4e-4, -4e-4, 0.083].map((value) => signed(value)),
      ['±.000', '+.000', '−.000', '+.083'],
    );
  });
});

describe('the ticks of an axis', () => {
  const texts = (marks: number[]) => marks.map(onAxis(marks));

  it('have the decimals that tell them apart, also where steps add up to almost 0', () => {
    const steps = [-0.2, -0.2 + 0.1 + 0.1 + 5.5e-17, 0.2, 0.1 + 0.2 + 0.1, 0.6];
    assert.deepEqual(texts(steps), ['−.2', '0', '.2', '.4', '.6']);
    assert.deepEqual(texts([-0.05, 0, 0.05]), ['−.05', '0', '.05']);
    assert.deepEqual(texts([0, 20, 40]), ['0', '20', '40']);
    assert.deepEqual(texts([0, 2e-5, 4e-5]), ['0', '.00002', '.00004']);
    assert.deepEqual(texts([0]), ['0']);
  });
});

describe('a colour of the theme', () => {
  it('becomes opaque and keeps its channels', () => {
    assert.equal(opaque('rgba(234, 92, 0, 0.33)'), 'rgb(234, 92, 0)');
    assert.equal(opaque('#d18616'), '#d18616');
  });
});
