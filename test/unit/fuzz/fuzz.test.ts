import assert from 'node:assert/strict';
import { fuzz } from '../../faults/fuzz/run';
import { targets } from '../../faults/fuzz/targets';

/** Few of them, always the same; `npm run fuzz` reads a million others. */
const inputs = 4000;

describe('readers of what others wrote', function () {
  this.timeout(120_000);
  for (const target of targets) {
    it(`never fail without a reason a person can act on: ${target.name}`, async () => {
      const { find } = await fuzz(target, Math.ceil(inputs * target.share), 1);
      assert.equal(find, undefined, find);
    });
  }
});
