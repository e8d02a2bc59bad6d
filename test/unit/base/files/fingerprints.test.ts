import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { Fingerprints } from '../../../../src/base/files/fingerprints';
import { saying } from '../../../sentence';

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

describe('Fingerprints', () => {
  let folder: string;
  let memo: string;
  /** By how many milliseconds the fake clock is ahead, so that no test waits for a file to age. */
  let clock: number;
  const now = Date.now;

  beforeEach(async () => {
    clock = 0;
    Date.now = () => now() + clock;
    folder = await mkdtemp(join(tmpdir(), 'captious-fingerprints-'));
    memo = join(folder, 'memo', 'fingerprints-1.txt');
  });
  afterEach(async () => {
    Date.now = now;
    await rm(folder, { recursive: true, force: true });
  });

  const fingerprints = (warn?: (message: string) => void): Fingerprints =>
    new Fingerprints(join(folder, 'memo'), warn);

  async function settledFile(name: string, bytes: Uint8Array | string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  it('hashes content of any length', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 17);
    assert.equal(await fingerprints().sha256(await settledFile('long', bytes)), sha(bytes));
    assert.equal(await fingerprints().sha256(await settledFile('empty', '')), sha(''));
  });

  it('notices a change that keeps size and time', async () => {
    const prints = fingerprints();
    const path = await settledFile('file', 'first');
    const time = new Date(2020, 1, 1);
    await utimes(path, time, time);
    assert.equal(await prints.sha256(path), sha('first'));
    await writeFile(path, 'other');
    await utimes(path, time, time);
    assert.equal(await prints.sha256(path), sha('other'));
    await prints.flush();
    assert.equal(await fingerprints().sha256(path), sha('other'));
  });

  it('does not cache a file that may change within the same tick', async () => {
    const prints = fingerprints();
    await prints.sha256(await settledFile('file', 'young'));
    await prints.flush();
    await assert.rejects(readFile(memo));
  });

  it('caches a settled file, and skips broken lines of the cache', async () => {
    const path = await settledFile('file', 'content');
    clock = 5000;
    const first = fingerprints();
    assert.equal(await first.sha256(path), sha('content'));
    await first.flush();
    const line = (await readFile(memo, 'latin1')).trim();
    assert.match(line, /^[0-9a-f]{32} [0-9a-f]{64} [0-9a-f]{8}$/);

    // The wrong hash has a valid checksum. Only a cache hit returns this hash.
    const { crc32 } = await import('node:zlib');
    const lie = `${line.slice(0, 32)} ${sha('lie')}`;
    await writeFile(memo, `${lie} ${crc32(lie).toString(16).padStart(8, '0')}\n`);
    assert.equal(await fingerprints().sha256(path), sha('lie'));

    for (const broken of [line.slice(0, -9), lie + line.slice(97), '\0'.repeat(200), `x${line}`]) {
      await writeFile(memo, broken);
      const again = fingerprints();
      assert.equal(await again.sha256(path), sha('content'));
      await again.flush();
      const lines = (await readFile(memo, 'latin1')).split('\n');
      assert.ok(lines.includes(line), 'the torn end must not swallow the line written after it');
    }
  });

  it('lets several processes append at once', async () => {
    const paths = await Promise.all(
      Array.from({ length: 600 }, (_, i) => settledFile(`file${i}`, `content ${i}`)),
    );
    const script = join(folder, 'child.ts');
    await writeFile(
      script,
      `import { Fingerprints } from ${JSON.stringify(join(process.cwd(), 'src/base/files/fingerprints.ts'))};
       const now = Date.now;
       Date.now = () => now() + 5000;
       void (async () => {
         const prints = new Fingerprints(${JSON.stringify(join(folder, 'memo'))});
         for (const path of process.argv.slice(2)) { await prints.sha256(path); await prints.flush(); }
       })();`,
    );
    const codes = await Promise.all(
      [paths.slice(0, 350), paths.slice(250)].map(
        (part) =>
          new Promise((done) => {
            spawn(process.execPath, ['--import', 'tsx', script, ...part], { stdio: 'inherit' }).on(
              'exit',
              done,
            );
          }),
      ),
    );
    assert.deepEqual(codes, [0, 0]);
    const known = (await readFile(memo, 'latin1')).split('\n').filter((line) => line !== '');
    assert.ok(known.length >= 600);
    assert.ok(known.every((line) => /^[0-9a-f]{32} [0-9a-f]{64} [0-9a-f]{8}$/.test(line)));
    assert.equal(new Set(known.map((line) => line.slice(0, 32))).size, 600);
  }).timeout(30_000);

  it('follows links to their file', async () => {
    const path = await settledFile('file', 'content');
    await symlink(path, join(folder, 'link'));
    assert.equal(await fingerprints().sha256(join(folder, 'link')), sha('content'));
  });

  it('notices that a link leads to another file, back and forth', async () => {
    const [one, other] = [await settledFile('one', 'first'), await settledFile('other', 'other')];
    const link = join(folder, 'turned');
    const own = fingerprints();
    for (const [path, content] of [
      [one, 'first'],
      [other, 'other'],
      [one, 'first'],
    ]) {
      await rm(link, { force: true });
      await symlink(path, link);
      assert.equal(await own.sha256(link), sha(content));
      assert.equal(await own.sha256(link), sha(content));
    }
  });

  it('names a file that is missing or not a regular file', async () => {
    for (const [path, message] of [
      [join(folder, 'nowhere'), saying('base.pathMissing')],
      [folder, /not a file/],
      ...(process.platform === 'win32' ? [] : [['/dev/null', /not a file/] as const]),
    ] as const) {
      await assert.rejects(fingerprints().sha256(path), (error) => {
        assert.ok(error instanceof CaptiousError);
        assert.equal(error.kind, 'input');
        assert.equal(error.at, path);
        assert.match(error.message, message);
        return true;
      });
    }
  });

  it('reports a file that never stops changing', async () => {
    const path = await settledFile('file', randomBytes(8 << 20));
    let writing = true;
    const writer = (async () => {
      while (writing) await appendFile(path, 'x');
    })();
    try {
      await assert.rejects(fingerprints().sha256(path), saying('base.fileChangedWhileRead'));
    } finally {
      writing = false;
      await writer;
    }
  });

  it('stops when cancelled', async () => {
    const path = await settledFile('file', 'content');
    await assert.rejects(fingerprints().sha256(path, AbortSignal.abort()), { kind: 'interrupted' });
  });

  it('works without a writable cache folder, with one warning', async () => {
    await writeFile(join(folder, 'memo'), 'a file where the folder should be');
    const path = await settledFile('file', 'content');
    clock = 5000;
    const warnings: string[] = [];
    const prints = fingerprints((message) => warnings.push(message));
    assert.equal(await prints.sha256(path), sha('content'));
    await prints.flush();
    assert.equal(await prints.sha256(path), sha('content'));
    await prints.flush();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /cannot be cached/);
  });
});
