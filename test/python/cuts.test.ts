import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { needs, python } from './support';

interface Measured {
  cuts: boolean;
  columns: number;
  apart: number;
}

describe('texts of open_clip', function () {
  needs(this, python);
  this.timeout(600_000);
  let found: Record<string, Measured>;

  before(() => {
    const made = spawnSync(python!, [join(__dirname, 'cuts.py')], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    found = JSON.parse(made.stdout) as typeof found;
  });

  it("end at the batch's last end token, with the library's embeddings", () => {
    const { cuts, columns, apart } = found['ViT-S-32-alt'];
    assert.deepEqual({ cuts, columns }, { cuts: true, columns: 14 });
    assert.ok(apart < 1e-5, `${apart} apart`);
  });

  for (const name of ['coca_ViT-B-32', 'ViT-B-16-SigLIP', 'not causal'])
    it(`keep their length in a tower that is not causal or pools elsewhere: ${name}`, () => {
      assert.equal(found[name].cuts, false);
      assert.ok(found[name].columns > 14);
      assert.equal(found[name].apart, 0);
    });
});
