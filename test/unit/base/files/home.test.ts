import assert from 'node:assert/strict';
import { isAbsolute, join, resolve } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findUserHome, homeFolder, userHome } from '../../../../src/base/files/home';
import { temporaryFolder } from '../../../../src/base/files/temporary';
import { cacheFolder } from '../../../../src/evaluator/fetch/hub';

/** Calls `work` with these environment variables. Variables with the value undefined are unset. */
async function withEnv<T>(changes: NodeJS.ProcessEnv, work: () => T): Promise<Awaited<T>> {
  const before = Object.fromEntries(Object.keys(changes).map((key) => [key, process.env[key]]));
  const set = (values: NodeJS.ProcessEnv): void => {
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) Reflect.deleteProperty(process.env, key);
      else process.env[key] = value;
    }
  };
  set(changes);
  try {
    return await work();
  } finally {
    set(before);
  }
}

describe('home folder', () => {
  it('is never below the current folder because of an empty or relative variable', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const wrong of ['', '.', 'data']) {
      for (const name of ['HOME', 'XDG_DATA_HOME', 'CAPTIOUS_HOME', 'XDG_CACHE_HOME']) {
        if (name === 'CAPTIOUS_HOME' && wrong !== '') continue;
        const folders = await withEnv({ CAPTIOUS_HOME: '', [name]: wrong }, () => [
          homeFolder(),
          cacheFolder()!,
        ]);
        for (const folder of folders) {
          assert.ok(isAbsolute(folder), `${name}=${wrong}: ${folder}`);
          assert.ok(!folder.startsWith(resolve('.')), `${name}=${wrong}: ${folder}`);
        }
      }
    }
  });

  it("follows CAPTIOUS_HOME, relative to the command's folder", () => {
    assert.equal(homeFolder({ CAPTIOUS_HOME: 'mine' }), resolve('mine'));
    assert.equal(homeFolder({ CAPTIOUS_HOME: '/mine' }), resolve('/mine'));
  });

  it('comes from the user database if HOME is unset', async function () {
    if (process.platform === 'win32') this.skip();
    const home = await withEnv({ HOME: 'relative' }, userHome);
    assert.ok(isAbsolute(home));
    assert.equal(await withEnv({ HOME: '/somewhere' }, findUserHome), '/somewhere');
  });
});

describe('temporary folder', () => {
  it('names the path and the variable to set if it cannot be created', async () => {
    const missing = join(resolve('/no/such/folder'));
    await assert.rejects(
      withEnv({ TMPDIR: missing, TEMP: missing, TMP: missing }, () => temporaryFolder('test')),
      (error: unknown) => {
        assert.ok(error instanceof CaptiousError);
        assert.equal(error.at, missing);
        assert.match(error.remedy!, /TMPDIR/);
        return true;
      },
    );
  });
});
