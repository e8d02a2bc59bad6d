import assert from 'node:assert/strict';
import { partsOfInterval, partsWords } from '../../../src/report/figures';

describe('the parts of an interval', () => {
  /** Draws whose mean has the standard error 0.03: their standard deviation is 0.06, over four draws. */
  const draws = [0.5 - 0.06 * Math.sqrt(0.75), 0.5 + 0.06 * Math.sqrt(0.75)].flatMap((value) => [
    value,
    value,
  ]);
  const ofDraws = 1.959964 * 0.03;

  it('are apart: what varies between images, and what varies between draws', () => {
    const parts = partsOfInterval({ ci: [0.4, 0.6], draws })!;
    assert.ok(Math.abs(parts.draws - ofDraws) < 1e-6, String(parts.draws));
    assert.ok(Math.abs(parts.images - Math.sqrt(0.1 ** 2 - ofDraws ** 2)) < 1e-6, String(parts.images));
    assert.deepEqual(partsWords({ ci: [0.4, 0.6], draws }), {
      code: 'report.intervalParts',
      values: [parts.images, parts.draws].map((half) => half.toFixed(4)),
    });
  });

  it('are none of one draw, and the draws are never more than the whole', () => {
    assert.equal(partsOfInterval({ ci: [0.4, 0.6], draws: [0.5] }), undefined);
    assert.equal(partsWords({ ci: [0.4, 0.6] }), '');
    assert.deepEqual(partsOfInterval({ ci: [0.49, 0.51], draws })!.images, 0);
  });
});
