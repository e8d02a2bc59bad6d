import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import { intervalParts } from '../../../../webview/panel/intervalParts';

describe('the parts of an interval', () => {
  const metric = { ci: [0.5, 0.8] as [number, number], parts: { images: 0.1414, draws: 0.05 } };

  it('have the unit of the value beside them', () => {
    assert.deepEqual(intervalParts(metric, 'percent'), say('report.intervalPartsInPoints', '14.1', '5.0'));
    assert.deepEqual(intervalParts(metric, 'number'), say('report.intervalParts', '0.1414', '0.0500'));
  });

  it('are absent for one draw', () => {
    assert.equal(intervalParts({ ci: [0.5, 0.8] }, 'percent'), undefined);
  });
});
