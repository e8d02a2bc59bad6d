import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { JudgeMemory } from '../../../../src/evaluator/judge/judgeMemory';

describe('judge memory', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-memory-'))));
  after(() => rm(folder, { recursive: true }));

  it('loses nothing when three processes write it at the same time', async () => {
    const child = join(folder, 'child.cjs');
    const entryPoints = [join(import.meta.dirname, 'judgeMemoryChild.ts')];
    await build({ entryPoints, bundle: true, platform: 'node', outfile: child });
    const home = join(folder, 'home');
    const names = ['a', 'b', 'c'];
    const count = 20;
    const ends = names.map((name) =>
      once(spawn(process.execPath, [child, home, name, String(count)], { stdio: 'inherit' }), 'exit'),
    );
    for (const [code] of await Promise.all(ends)) assert.equal(code, 0);
    const memory = new JudgeMemory(home);
    for (const name of names)
      for (let i = 0; i < count; i++) assert.ok(await memory.consented(`${name} ${i}`), `${name} ${i}`);
    assert.deepEqual(await readdir(home), ['judges-1.json'], 'the lock is released');
  });

  it('continues after a process that died while holding the lock', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const dead = '0123456789abcdef-1-1 elsewhere';
    await writeFile(join(home, 'judges-1.json.lock.7'), dead);
    await utimes(join(home, 'judges-1.json.lock.7'), 1, 1);
    const memory = new JudgeMemory(home);
    await memory.consent('x');
    assert.ok(await memory.consented('x'));
  });
});
