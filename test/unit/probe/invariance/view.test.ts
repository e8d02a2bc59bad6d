import assert from 'node:assert/strict';
import { inARow, say } from '../../../../src/base/say';
import type { Metric } from '../../../../src/probe/metric';
import { invarianceView } from '../../../../src/probe/invariance/view';

describe('the first sentence of invariance', () => {
  const metric = (axis: string, value: number, images: number): Metric => ({
    ...{ id: `invariance.${axis}.absDelta`, value, n: 4 * images, images, ci: [value / 2, 2 * value] },
  });

  it('has the interval of each change, or says that there is too little data', () => {
    const metrics = [metric('spatial', 0.02, 40), metric('societal', 0.06, 7)];
    const few = say('probe.tooLittleData');
    assert.deepEqual(
      invarianceView.sentence(metrics, 'A'),
      say(
        'invariance.headline',
        'A',
        inARow(
          [
            say('invariance.headlineImages', '0.020 [0.010, 0.040]'),
            say('probe.nameWithDetail', say('invariance.headlineWords', '0.060'), few),
          ],
          ', ',
        ),
      ),
    );
  });

  it('is absent without a change', () => {
    assert.equal(invarianceView.sentence([], 'A'), undefined);
  });
});
