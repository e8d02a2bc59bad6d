import assert from 'node:assert/strict';
import { metricText, pEquals, pValueText } from '../../../src/base/pValue';

describe('p values', () => {
  it('are never printed as 0.0000', () => {
    assert.deepEqual([1, 0.0123, 0.001, 0.000999, 1.23e-7, 1e-300, 0].map(pValueText), [
      '1.0000',
      '0.0123',
      '0.0010',
      '1.0e-3',
      '1.2e-7',
      '1.0e-300',
      '< 1e-300',
    ]);
    assert.deepEqual([0.0123, 0].map(pEquals), ['p = 0.0123', 'p < 1e-300']);
  });

  it("are recognised by the metric's id", () => {
    assert.equal(metricText('invariance.spatial.vflip.p', 1.23e-7), '1.2e-7');
    // It was "0.0000" and, in papers, "0.000".
    assert.equal(metricText('invariance.societal.cultural.between', 2.1e-16), '2.1e-16');
    assert.equal(metricText('prsm.between.global', 0.5), '0.5000');
    assert.equal(metricText('lgip.inv', 1.23e-7), '0.00000012');
  });
});
