import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { beat, holderOf, Lease } from '../../../../src/base/files/lease';
import {
  hasEnded,
  isLeft,
  isOfThisHost,
  isPart,
  overdueMs,
  ownerFrom,
  ownerToken,
  renamedPart,
  thisOwner,
} from '../../../../src/base/files/owner';
import { temporaryFor } from '../../../../src/base/files/writeFile';

describe('a lease', () => {
  const here = thisOwner();
  const far = { ...here, host: 'fedcba9876543210' };
  const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-lease-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads its token back, and no other text', () => {
    assert.deepEqual(ownerFrom(ownerToken(here)), here);
    for (const text of ['', '12', '1234-1', `${ownerToken(here)}x`, 'free'])
      assert.equal(ownerFrom(text), undefined);
  });

  it('of a process on this host ends with the process, however recent its heartbeat', () => {
    assert.equal(hasEnded(here, 10 * overdueMs), false);
    assert.equal(hasEnded({ ...here, pid: deadPid }, 0), true);
  });

  it('ends if another process now has the same id', function () {
    if (here.started === 0) {
      console.log('      skipped: this system does not tell when a process started');
      this.skip();
    }
    assert.equal(hasEnded({ ...here, started: here.started - 1 }, 0), true);
  });

  it('is decided by its heartbeat if the process may be another one', () => {
    assert.equal(hasEnded({ ...here, started: 0 }, overdueMs - 1), false);
    assert.equal(hasEnded({ ...here, started: 0 }, overdueMs + 1), true);
  });

  it('of another host is never decided by a process id', () => {
    for (const pid of [process.pid, deadPid]) {
      assert.equal(hasEnded({ ...far, pid }, overdueMs - 1), false);
      assert.equal(hasEnded({ ...far, pid }, overdueMs + 1), true);
    }
    assert.equal(hasEnded(undefined, overdueMs - 1), false);
  });

  it('is refreshed by heartbeats, which stop when the file is deleted', async () => {
    const path = join(folder, 'part');
    await writeFile(path, '');
    const past = new Date(Date.now() - 2 * overdueMs);
    await utimes(path, past, past);
    await beat(path);
    assert.ok((await stat(path)).mtimeMs > past.getTime() + overdueMs);
    await rm(path);
    await beat(path);
    assert.deepEqual(await readdir(folder), []);
  });

  it('owns an unfinished file by its name, which can be taken over and released', async () => {
    const name = basename(temporaryFor(join(folder, 'a.rows.jsonl')));
    assert.ok(isPart(name) && isOfThisHost(name));
    await writeFile(join(folder, name), '');
    assert.equal(await isLeft(folder, name), false);
    const free = renamedPart(name, 'free');
    assert.ok(isPart(free) && !isOfThisHost(free));
    assert.equal(await isLeft(folder, free), true);
    assert.equal(renamedPart(free, 'own'), name);
    for (const other of ['a.part', '.a.part', '.a.123.part', 'a.rows.jsonl']) {
      assert.equal(isPart(other), false);
      assert.equal(await isLeft(folder, other), false);
    }
  });

  it('is held only by a file with a token, and a heartbeat follows no link', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'mine');
    await utimes(victim, 1, 1);
    const foreign: ((path: string) => Promise<unknown>)[] = [
      (path) => mkdir(path),
      (path) => symlink(victim, path),
      (path) => symlink('/dev/zero', path),
      (path) => symlink(join(folder, 'missing'), path),
      (path) => writeFile(path, 'x'.repeat(1 << 20)),
    ];
    for (const [i, make] of foreign.entries())
      for (const number of [7, 999_999_999_999_999]) {
        const name = join(folder, `foreign-${i}-${number}`);
        await make(`${name}.${number}`);
        await beat(`${name}.${number}`);
        const lease = await Lease.take(name);
        assert.ok(lease !== undefined, `${make.toString()} ${number}`);
        assert.equal(await Lease.take(name), undefined);
        await lease.release();
      }
    assert.equal((await stat(victim)).mtimeMs, 1000);
    assert.equal(await readFile(victim, 'utf8'), 'mine');
    assert.ok(!existsSync(join(folder, 'missing')));
  });

  it('dated in the future by another host is held while it is renewed, and free after two minutes without', async () => {
    const name = join(folder, 'ahead');
    await writeFile(`${name}.3`, `${ownerToken(far)} elsewhere`);
    const ahead = async (hours: number): Promise<void> => {
      const time = new Date(Date.now() + hours * 3_600_000);
      await utimes(`${name}.3`, time, time);
    };
    const now = performance.now.bind(performance);
    let later = 0;
    performance.now = () => now() + later;
    try {
      for (const hours of [1, 2, 3]) {
        await ahead(hours);
        assert.equal(await Lease.take(name), undefined);
        later += overdueMs - 1000;
        assert.equal(await Lease.take(name), undefined);
      }
      later += 2000;
      await (await Lease.take(name))!.release();
    } finally {
      performance.now = now;
    }
  });

  for (const [which, hours] of [
    ['ahead', 1],
    ['behind', -1],
  ] as const)
    it(`is judged by the clock of its folder if this process has a clock ${which}`, async () => {
      const name = join(folder, 'skewed');
      const now = Date.now;
      Date.now = () => now() + hours * 3_600_000;
      try {
        await writeFile(`${name}.1`, `${ownerToken(far)} elsewhere`);
        assert.equal(await Lease.take(name), undefined);
        const past = new Date(now() - 2 * overdueMs);
        await utimes(`${name}.1`, past, past);
        const lease = await Lease.take(name);
        assert.ok(lease !== undefined);
        await utimes(`${name}.2`, past, past);
        await beat(`${name}.2`);
        assert.ok(Math.abs((await stat(`${name}.2`)).mtimeMs - now()) < 60_000);
        await lease.release();
      } finally {
        Date.now = now;
      }
    });

  it('is not taken under a higher number while a lower one is held', async () => {
    // A slow process lists an old lock, which others replace by a new one with a lower number.
    const name = join(folder, 'slow');
    await writeFile(`${name}.1`, `${ownerToken(here)} here`);
    await writeFile(`${name}.2`, 'free');
    assert.equal(await Lease.take(name), undefined);
    assert.deepEqual((await readdir(folder)).sort(), ['slow.1', 'slow.2']);
  });

  it('that cannot be written leaves no file, and its error names it', async () => {
    const name = join(folder, 'x'.repeat(254));
    await assert.rejects(
      Lease.take(name),
      (error) => error instanceof CaptiousError && error.at === `${name}.1` && error.remedy !== undefined,
    );
  });

  it('is taken by one of many processes, released, and its release time is kept', async () => {
    const name = join(folder, 'lock');
    const taken = await Promise.all(Array.from({ length: 12 }, () => Lease.take(name)));
    const [lease, ...more] = taken.filter((one) => one !== undefined);
    assert.equal(more.length, 0);
    assert.equal((await holderOf(name))?.pid, process.pid);
    const past = new Date(Date.now() - 2 * overdueMs);
    await utimes(`${name}.1`, past, past);
    lease.leave();
    const holder = await holderOf(name);
    assert.equal(holder?.held, false);
    assert.ok(holder.seenAt > past.getTime() + overdueMs);
    const next = await Lease.take(name);
    await next?.release();
    assert.equal(await holderOf(name), undefined);
    assert.deepEqual(await readdir(folder), []);
  });
});
