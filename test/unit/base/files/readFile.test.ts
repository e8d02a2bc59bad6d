import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf, openRegular, readBounded, readBoundedSync } from '../../../../src/base/files/readFile';
import { parseJson } from '../../../../src/base/files/readJson';
import { saying } from '../../../sentence';

describe('untrusted files', () => {
  let folder = '';
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-read-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are rejected before the first byte if they are a pipe or a link to a device', async function () {
    if (process.platform === 'win32') this.skip();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const zero = join(folder, 'config.json');
    symlinkSync('/dev/zero', zero);
    for (const path of [pipe, zero]) {
      await assert.rejects(openRegular(path), { kind: 'input', message: saying('base.irregularInput') });
      await assert.rejects(readBounded(path), { kind: 'input' });
      assert.throws(() => readBoundedSync(path), { kind: 'input' });
    }
  });

  it('are read up to a limit', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'x'.repeat(100));
    assert.equal(String(await readBounded(path, 100)), 'x'.repeat(100));
    await assert.rejects(readBounded(path, 99), { kind: 'input' });
    assert.throws(() => readBoundedSync(path, 99), { kind: 'input' });
    await assert.rejects(readBounded(folder), { code: 'EISDIR' });
  });

  it('give the same lines for any chunking', async () => {
    const bytes = Buffer.from('one\ntwo\r\n\r\nthree\u2028still\rfour\n\ncafé');
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const lines: string[] = [];
      for await (const line of linesOf(streamed(chunks), 'file')) lines.push(line);
      assert.deepEqual(lines, ['one', 'two', '', 'three\u2028still', 'four', '', 'café']);
    }
  });

  it('fail with the number of a line that is too long', async () => {
    const read = async (): Promise<void> => {
      for await (const line of linesOf(streamed([Buffer.from('ab\nabcdef')]), 'rows', 4))
        assert.equal(line, 'ab');
    };
    await assert.rejects(read(), { kind: 'input', at: 'rows:2' });
  });
});

describe('untrusted JSON', () => {
  it('is rejected by nesting and number of values before it is built', () => {
    const deep = Buffer.from('['.repeat(1_000_000));
    assert.throws(() => parseJson(deep), { kind: 'input', message: /64 levels/ });
    const wide = Buffer.from(`[${'[],'.repeat(2_000_000)}[]]`);
    assert.throws(() => parseJson(wide), { kind: 'input', message: saying('base.jsonTooManyParts') });
    assert.throws(() => parseJson(Buffer.from('[1]'), { bytes: 2 }), { kind: 'input' });
    assert.deepEqual(parseJson(Buffer.from('\ufeff{"a[\\"{":[1,"]"]}')), { 'a["{': [1, ']'] });
    assert.throws(() => parseJson(Buffer.from('{')), SyntaxError);
  });
});

async function* streamed(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
