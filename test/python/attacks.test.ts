import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, python, root } from './support';

describe('weight files that run code if they are unpickled, with the libraries themselves', function () {
  needs(this, python);
  this.timeout(1_800_000);
  let folder: string;
  let marker: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-attacks-'));
    marker = join(folder, 'ran');
    const script = join(root, 'test/fixtures/python/attacks.py');
    const made = spawnSync(python!, [script, folder, marker], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  for (const consent of ['refuse', 'allow'])
    it(`never run in any adapter, and no code of a model's folder: ${consent} TorchScript`, () => {
      const args = [join(__dirname, 'attacks.py'), folder, marker, consent];
      const { stdout, stderr, status } = spawnSync(python!, args, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const line = stdout.split('\n').find((one) => one.startsWith('said '))!;
      const said = JSON.parse(line.slice(5)) as Record<'held' | 'ran' | 'loaded', string[]>;
      assert.deepEqual({ ran: said.ran, loaded: said.loaded }, { ran: [], loaded: [] });
      assert.equal(said.held.length, 12 * 4 + 3);
    });
});
