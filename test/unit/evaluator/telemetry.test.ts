import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('ONNX Runtime', function () {
  this.timeout(120_000);

  it('keeps no device id and no records of its use, and so sends none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-telemetry-'));
    try {
      const user = join(folder, 'user');
      mkdirSync(user);
      const out = join(folder, 'reports');
      const audit = ['audit', 'samples/captions.json', '--probe', 'lgip', '--evaluator', 'starter'];
      const { status, stderr } = spawnSync(
        process.execPath,
        ['dist/cli.js', ...audit, '--limit', '1', '--out', out],
        {
          env: {
            ...process.env,
            CAPTIOUS_HOME: join(folder, 'captious'),
            HOME: user,
            USERPROFILE: user,
            LOCALAPPDATA: user,
            XDG_CACHE_HOME: join(user, 'cache'),
          },
          encoding: 'utf8',
        },
      );
      assert.equal(status, 0, stderr);
      assert.ok(readdirSync(out).length > 0);
      assert.deepEqual(readdirSync(user, { recursive: true }), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
