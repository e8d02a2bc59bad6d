import assert from 'node:assert/strict';
import { metricText, shortText } from '../../../src/base/pValue';
import { metricTitles } from '../../../src/report/titles';
import { endsOf, interval, valueOf } from '../../../src/report/figures';
import { sentence } from '../../sentence';

describe('digits of metrics', () => {
  const small = { id: 'lgip.inv', value: 0.0000123, n: 40, ci: [0.0000101, 0.0000152] as const };

  it('follow the width of the interval, so a small score is never shown as zero', () => {
    assert.equal(valueOf(small), '0.0000123');
    assert.equal(interval(small), '[0.0000101, 0.0000152]');
    assert.equal(valueOf({ id: 'visla.t2t', value: 0.58889, ci: [0.558, 0.619] }), '0.5889');
    assert.equal(endsOf([0.58885, 0.58892]), '[0.588850, 0.588920]');
  });

  it('are two significant ones for a value without an interval, and an exponent for tiny ones', () => {
    assert.equal(metricText('lgip.inv', 0.0000321), '0.000032');
    assert.equal(metricText('lgip.inv', 3.21e-12), '3.2e-12');
    assert.equal(metricText('lgip.inv', 0), '0.0000');
    assert.equal(metricText('lgip.inv', -4e-18), '-0.0000'.replace('-', ''));
    assert.equal(metricText('lgip.p', 0.00002), '2.0e-5');
  });

  it('are three in little space, unless the value or its interval would be lost', () => {
    assert.equal(shortText(0.0222, [0.0195, 0.0256]), '0.022');
    assert.equal(shortText(0.0002, [0.0001, 0.0003]), '0.00020');
    assert.equal(shortText(0.5889, [0.5887, 0.5891]), '0.58890');
  });

  it('name a relative metric by its metric and the unit', () => {
    const titleOf = metricTitles('lgip', [small]);
    assert.equal(
      titleOf({ ...small, id: 'lgip.inv.relative' }),
      sentence('probe.metricInSpreads', 'Invariance error'),
    );
  });
});
