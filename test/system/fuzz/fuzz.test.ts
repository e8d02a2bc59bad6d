import assert from 'node:assert/strict';
import { fuzz } from '../../faults/fuzz/run';
import { targets } from '../../faults/fuzz/targets';

/** Each target gets a share of this many inputs, the same ones in every run. `npm run fuzz` tests a million. */
const inputs = 4000;

describe('readers of untrusted files', function () {
  this.timeout(120_000);
  for (const target of targets) {
    it(`never fail without an actionable reason: ${target.name}`, async () => {
      const { find } = await fuzz(target, Math.ceil(inputs * target.share), 1);
      assert.equal(find, undefined, find);
    });
  }
});
