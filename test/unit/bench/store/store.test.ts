import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { build } from 'esbuild';
import { Random } from '../../../../src/base/random';
import { Store } from '../../../../src/bench/store/store';
import { turns } from '../../../until';
import { recordNamed } from '../records';

const names = (tag: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${tag} ${i}`);

describe('Store', () => {
  let root: string;
  let folder: string;
  let child: string;
  let warnings: string[];
  const warn = (message: string): void => void warnings.push(message);

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'captious-store-'));
    await chmod(root, 0o755);
    child = join(root, 'child.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'storeChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: child,
    });
  });
  after(() => rm(root, { recursive: true, force: true }));
  beforeEach(async () => {
    folder = await mkdtemp(join(root, 'store-'));
    warnings = [];
  });

  async function write(tag: string, count: number, tidy = false): Promise<void> {
    const store = await Store.open(folder, warn);
    await store.put(names(tag, count).map(recordNamed));
    await store.close({ tidy });
  }

  /** Returns the number of readable records and asserts their content. */
  async function readable(store: Store, wanted: readonly string[]): Promise<number> {
    const records = wanted.map(recordNamed);
    const found = await store.get(records.map(({ key }) => key));
    return found.filter((payload, i) => {
      if (payload === undefined) return false;
      assert.deepEqual(Buffer.from(payload), records[i].payload, wanted[i]);
      return true;
    }).length;
  }

  async function inFreshStore(wanted: readonly string[]): Promise<number> {
    const store = await Store.open(folder, warn);
    const count = await readable(store, wanted);
    await store.close({ tidy: false });
    return count;
  }

  function start(args: string[], through: string[] = []): ChildProcess {
    const [command, ...rest] = [...through, process.execPath, child, ...args];
    return spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  function output(
    process: ChildProcess,
    onLine: (line: string) => void = () => undefined,
  ): Promise<string[]> {
    return new Promise((resolve) => {
      const lines: string[] = [];
      let rest = '';
      process.stdout!.on('data', (data: Buffer) => {
        const parts = (rest + data.toString()).split('\n');
        rest = parts.pop()!;
        for (const line of parts) {
          lines.push(line);
          onLine(line);
        }
      });
      process.on('close', () => resolve(lines));
    });
  }

  it('returns what was put, in any order, at once and after reopening, and nothing else', async () => {
    const store = await Store.open(folder);
    await store.put(names('a', 500).map(recordNamed));
    assert.equal(await readable(store, names('a', 500).reverse()), 500);
    assert.equal(await readable(store, names('b', 50)), 0);
    await store.close({ tidy: false });
    assert.equal(
      await inFreshStore(new Random('order').shuffle([...names('a', 500), ...names('b', 50)])),
      500,
    );
  });

  it('leaves no files if nothing was put', async () => {
    const store = await Store.open(join(folder, 'absent'));
    assert.equal(await readable(store, names('a', 5)), 0);
    await store.close({ tidy: true });
    assert.deepEqual(await readdir(folder), []);
  });

  it('sees what another process puts meanwhile', async () => {
    let aged = 0;
    const now = performance.now.bind(performance);
    const clock = mock.method(performance, 'now', () => now() + aged);
    const [one, other] = [await Store.open(folder), await Store.open(folder)];
    await one.put(names('a', 10).map(recordNamed));
    aged += 1050;
    assert.equal(await readable(other, names('a', 10)), 10);
    await one.put(names('b', 10).map(recordNamed));
    aged += 1050;
    assert.equal(await readable(other, [...names('b', 10), ...names('a', 10)]), 20);
    clock.mock.restore();
    await one.close({ tidy: false });
    await other.close({ tidy: false });
  });

  it('works with several processes at once', async () => {
    const children = ['a', 'b', 'c'].map((name) => output(start([folder, name, 'write', '700'])));
    for (const lines of await Promise.all(children)) assert.equal(lines.at(-1), 'done');
    assert.equal(await inFreshStore(['a', 'b', 'c'].flatMap((name) => names(name, 700))), 2100);
  });

  it('survives kill -9 at any moment: confirmed records remain, and every record read is right', async () => {
    const random = new Random('kill');
    const all: string[] = [];
    let kept = 0;
    for (let round = 0; round < 20; round++) {
      const victim = start([folder, `round ${round}`, 'write', '200000']);
      let said = 0;
      // Kills the process only after `enough` records, because a slow machine writes almost none during the delay.
      const [enough, delay] = [7 + random.below(200), random.below(300)];
      let doomed = false;
      const lines = output(victim, (line) => {
        said = Number(line);
        if (said < enough || doomed) return;
        doomed = true;
        void turns(delay).then(() => victim.kill('SIGKILL'));
      });
      assert.notEqual((await lines).at(-1), 'done');
      assert.equal(await inFreshStore(names(`round ${round}`, said)), said);
      kept += said;
      all.push(...names(`round ${round}`, said));
    }
    assert.ok(kept > 1000, `only ${kept} records were written in all`);
    assert.equal(await inFreshStore(all), kept);
    assert.deepEqual(warnings, []);
  }).timeout(60_000);

  it('never returns damaged records, and keeps working', async () => {
    await write('a', 150);
    await write('b', 150);
    const files = (await readdir(folder)).map((name) => join(folder, name));
    const whole = await Promise.all(files.map((file) => readFile(file)));
    const all = [...names('a', 150), ...names('b', 150)];
    const random = new Random('damage');
    let lost = 0;
    for (let round = 0; round < 120; round++) {
      const which = random.below(files.length);
      const bytes = Buffer.from(whole[which]);
      const at = random.below(bytes.length);
      let damaged: Buffer = bytes;
      switch (random.below(5)) {
        case 0:
          bytes[at] ^= 1 << random.below(8);
          break;
        case 1:
          bytes.fill(0, at, Math.min(bytes.length, at + 1 + random.below(600)));
          break;
        case 2:
          damaged = bytes.subarray(0, at);
          break;
        case 3:
          damaged = Buffer.concat([bytes.subarray(0, at), Buffer.from('!'), bytes.subarray(at)]);
          break;
        default:
          for (let i = at; i < Math.min(bytes.length, at + 64); i++) bytes[i] = random.below(256);
      }
      await writeFile(files[which], damaged);
      const store = await Store.open(folder);
      const count = await readable(store, all);
      lost += all.length - count;
      if (round % 25 === 0) {
        // Lost records can be stored again.
        await store.put(all.map(recordNamed));
        assert.equal(await readable(store, all), all.length);
      }
      await store.close({ tidy: false });
      if (round % 25 === 0) {
        assert.equal(await inFreshStore(all), all.length);
        for (const name of await readdir(folder)) {
          if (!files.includes(join(folder, name))) await rm(join(folder, name));
        }
      }
      await writeFile(files[which], whole[which]);
    }
    assert.ok(lost > 500, 'the damage must have been felt');
    assert.equal(await inFreshStore(all), all.length);
  }).timeout(60_000);

  it('rejects a key file that points to the record of another key', async () => {
    await write('a', 2);
    const [keys] = (await readdir(folder)).filter((name) => name.endsWith('.keys'));
    const bytes = await readFile(join(folder, keys));
    const first = Buffer.from(bytes.subarray(72, 80));
    bytes.copy(bytes, 72, 88, 96);
    first.copy(bytes, 88);
    await writeFile(join(folder, keys), bytes);
    assert.equal(await inFreshStore(names('a', 2)), 0);
  });

  it('reads the intact part of truncated files', async () => {
    await write('a', 100);
    const files = await readdir(folder);
    const keys = join(
      folder,
      files.find((name) => name.endsWith('.keys'))!,
    );
    const values = join(
      folder,
      files.find((name) => name.endsWith('.values'))!,
    );
    await truncate(keys, 64 + 16 * 90 + 5);
    assert.equal(await inFreshStore(names('a', 100)), 90);
    await truncate(values, (await stat(values)).size / 2);
    const count = await inFreshStore(names('a', 100));
    assert.ok(count > 30 && count < 70, `${count}`);
    await truncate(values, 0);
    assert.equal(await inFreshStore(names('a', 100)), 0);
    await truncate(keys, 3);
    assert.equal(await inFreshStore(names('a', 100)), 0);
    await rm(values);
    assert.equal(await inFreshStore(names('a', 100)), 0);
  });

  it('does not touch foreign files', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await writeFile(
      join(folder, 'abc-0123456789abcdef.keys'),
      'no keys at all, though the name says so'.repeat(9),
    );
    await writeFile(join(folder, 'abc-0123456789abcdee.keys'), '');
    await mkdir(join(folder, 'abc-0123456789abcded.keys'));
    for (let i = 0; i < 10; i++) await write(`a${i}`, 5, true);
    assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'mine');
    assert.ok((await readdir(folder)).includes('abc-0123456789abcdef.keys'));
    assert.equal(await inFreshStore(names('a3', 5)), 5);
  });

  it('leaves a store of a future version unchanged, and warns once', async () => {
    for (let i = 0; i < 9; i++) await write(`a${i}`, 5);
    const before = new Map<string, Buffer>();
    for (const name of await readdir(folder)) {
      const bytes = await readFile(join(folder, name));
      if (name.endsWith('.keys')) bytes.writeUInt32LE(2, 8);
      await writeFile(join(folder, name), bytes);
      before.set(name, bytes);
    }
    assert.equal(await inFreshStore(names('a0', 5)), 0);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0],
      /the format 2, but this version of Captious reads the format 1.*kept but not used/,
    );
    await write('b', 5, true);
    assert.equal(await inFreshStore(names('b', 5)), 5);
    for (const [name, bytes] of before) assert.deepEqual(await readFile(join(folder, name)), bytes);
  });

  it('merges small segments once there are many, without other processes noticing', async () => {
    for (let i = 0; i < 7; i++) await write(`a${i}`, 20);
    await write('a0', 20);
    const reader = await Store.open(folder, warn);
    const halfRead = await Store.open(folder, warn);
    assert.equal(await readable(halfRead, names('a1', 20)), 20);
    const writer = await Store.open(folder, warn);
    await writer.put(names('w', 20).map(recordNamed));
    await write('last', 20, true);
    const keys = (await readdir(folder)).filter((name) => name.endsWith('.keys'));
    assert.equal(keys.length, 2, 'the merged segment and that of the open writer');
    const all = ['last', ...Array.from({ length: 7 }, (_, i) => `a${i}`)].flatMap((tag) => names(tag, 20));
    assert.equal(await readable(reader, all), all.length);
    assert.equal(await readable(halfRead, all), all.length);
    await writer.put(names('x', 20).map(recordNamed));
    assert.equal(await readable(writer, [...names('w', 20), ...names('x', 20)]), 40);
    for (const store of [reader, halfRead, writer]) await store.close({ tidy: false });
    assert.equal(await inFreshStore([...all, ...names('w', 20), ...names('x', 20)]), all.length + 40);
    const merged = await Store.open(folder);
    assert.equal(merged.size, all.length + 40, 'what was there twice is there once');
    await merged.close({ tidy: false });
    assert.deepEqual(warnings, []);
  });

  it("merges a killed process's segments only after some time", async () => {
    const victim = start([folder, 'v', 'write', '200000']);
    await output(victim, (line) => Number(line) > 50 && victim.kill('SIGKILL'));
    const [left] = (await readdir(folder)).filter((name) => name.endsWith('.keys'));
    for (let i = 0; i < 8; i++) await write(`a${i}`, 5, true);
    assert.ok((await readdir(folder)).includes(left));
    const old = new Date(Date.now() - 3_600_000);
    await utimes(join(folder, left), old, old);
    for (let i = 0; i < 8; i++) await write(`b${i}`, 5, true);
    assert.ok(!(await readdir(folder)).includes(left));
    assert.equal(await inFreshStore(names('v', 50)), 50);
  });

  it('loses nothing while several processes write, close and merge at once', async () => {
    const children = ['a', 'b', 'c'].map((name) => output(start([folder, name, 'churn', '210'])));
    for (const lines of await Promise.all(children)) assert.deepEqual(lines, ['done']);
    assert.equal(await inFreshStore(['a', 'b', 'c'].flatMap((name) => names(name, 210))), 630);
    assert.ok((await readdir(folder)).length < 60);
  }).timeout(60_000);

  it('continues with one warning when the disk is full, and keeps earlier records', async function () {
    if (process.platform === 'win32') {
      console.log('      (left out: no limit on file sizes on Windows)');
      return this.skip();
    }
    // Writes beyond a file size limit fail in the middle, as on a full disk.
    const limit = ['sh', '-c', `trap '' XFSZ; ulimit -f 40; exec "$@"`, 'sh'];
    const lines = await output(start([folder, 'f', 'write', '5000'], limit));
    assert.equal(lines.at(-1), 'done');
    const said = lines.filter((line) => line.startsWith('warning'));
    assert.equal(said.length, 1, said.join('\n'));
    assert.match(said[0], /results cannot be cached/);
    const count = await inFreshStore(names('f', 5000));
    assert.ok(count > 50 && count < 1000, `${count}`);
  });

  it('reads from a read-only disk, with one warning when something should be stored', async function () {
    if (process.platform === 'win32') {
      console.log('      (left out: no permissions of this kind on Windows)');
      return this.skip();
    }
    await write('a', 20);
    await chmod(folder, 0o555);
    // Root can write everywhere, so the child process runs as another user.
    const user = process.getuid?.() === 0 ? ['65534'] : [];
    const lines = await output(start([folder, 'r', 'write', '50', ...user]));
    await chmod(folder, 0o755);
    assert.equal(lines.at(-1), 'done');
    assert.equal(lines.filter((line) => line.startsWith('warning')).length, 1, lines.join('\n'));
    assert.equal(await inFreshStore([...names('a', 20), ...names('r', 50)]), 20);
  });
});
