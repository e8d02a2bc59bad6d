import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { makeFolder } from '../../../../src/base/files/cannotWrite';
import { homeFolder } from '../../../../src/base/files/home';
import { ownerToken, thisOwner } from '../../../../src/base/files/owner';
import {
  createFile,
  createFileSync,
  linkOrCopy,
  openToAppend,
  ownerOnly,
  replaceFile,
  replaceFileSync,
  temporaryFor,
} from '../../../../src/base/files/writeFile';
import { saying } from '../../../sentence';

describe('writing files', () => {
  let folder: string;
  let victim: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-write-'));
    victim = join(folder, 'victim');
    path = join(folder, 'out');
    await writeFile(victim, 'mine');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const isUntouched = async () => {
    assert.equal(await readFile(victim, 'utf8'), 'mine');
  };

  it('replaces a link and leaves its target unchanged', async () => {
    for (const replace of [
      () => replaceFile(path, 'new'),
      () => replaceFile(path, (file) => file.writeFile('new')),
      () => {
        replaceFileSync(path, 'new');
      },
    ]) {
      await symlink(victim, path);
      await replace();
      assert.ok((await lstat(path)).isFile());
      assert.equal(await readFile(path, 'utf8'), 'new');
      await isUntouched();
      await rm(path);
    }
    assert.deepEqual(await readdir(folder), ['victim']);
  });

  it('writes files whose names have as many bytes as a name can have', async () => {
    for (const name of ['ü'.repeat(120), 'x'.repeat(250), '猫'.repeat(80), '😀'.repeat(60)]) {
      await replaceFile(join(folder, name), 'new');
      assert.equal(await readFile(join(folder, name), 'utf8'), 'new');
      assert.ok(Buffer.byteLength(basename(temporaryFor(join(folder, name)))) <= 255);
      await rm(join(folder, name));
    }
  });

  it('does not write through a folder that is replaced by a link meanwhile', async () => {
    for (const name of ['own', 'other']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'other', 'f'), 'mine');
    const swap = async (file: FileHandle): Promise<void> => {
      await file.writeFile('new');
      await rename(join(folder, 'own'), join(folder, 'moved'));
      await symlink(join(folder, 'other'), join(folder, 'own'));
    };
    await assert.rejects(replaceFile(join(folder, 'own', 'f'), swap), (error) => {
      return ((error as CaptiousError).cause as NodeJS.ErrnoException).code === 'ENOENT';
    });
    assert.equal(await readFile(join(folder, 'other', 'f'), 'utf8'), 'mine');
    assert.deepEqual(await readdir(join(folder, 'other')), ['f']);
  });

  it('does not write through a link that replaces the temporary file', async () => {
    await replaceFile(path, async (file) => {
      const [part] = (await readdir(folder)).filter((name) => name.endsWith('.part'));
      await rm(join(folder, part));
      await symlink(victim, join(folder, part));
      await file.writeFile('new');
    });
    await isUntouched();
  });

  it('replaces a file that has a second name without changing the content under the other name', async () => {
    await link(victim, path);
    await replaceFile(path, 'new');
    await isUntouched();
  });

  it('keeps the old file and leaves no other files after a failure', async () => {
    await writeFile(path, 'old');
    await assert.rejects(
      replaceFile(path, async (file) => {
        await file.writeFile('half');
        throw new Error('full');
      }),
      /full/,
    );
    assert.equal(await readFile(path, 'utf8'), 'old');
    assert.deepEqual((await readdir(folder)).sort(), ['out', 'victim']);
  });

  it('names the file and the remedy if the disk is full or a folder is not writable', async () => {
    const failing = (code: string) => () => {
      const error = Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
      return Promise.reject(error);
    };
    const errorOf = async (at: string, code: string): Promise<CaptiousError> => {
      const error: unknown = await replaceFile(at, failing(code)).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof CaptiousError, `${code} in ${at}`);
      assert.equal(error.at, at);
      return error;
    };
    const inHome = join(homeFolder(), 'judges.json');
    await mkdir(homeFolder(), { recursive: true });
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES']) {
      const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'interrupted' : 'input';
      assert.equal((await errorOf(path, code)).kind, kind);
      assert.doesNotMatch((await errorOf(path, code)).remedy!, /CAPTIOUS_HOME/);
      assert.match((await errorOf(inHome, code)).remedy!, /CAPTIOUS_HOME/);
    }
    for (const place of [join(victim, 'below a file'), join(folder, 'missing', 'file')])
      await assert.rejects(replaceFile(place, ''), (error) => (error as CaptiousError).at === place);
    for (const place of [join(victim, 'folder'), join(victim, 'folder', 'deeper')])
      await assert.rejects(makeFolder(place), (error) => (error as CaptiousError).at === place);
  });

  it('creates no file if the name exists, even as a dangling link', async () => {
    await symlink(victim, path);
    await symlink(join(folder, 'nothing'), join(folder, 'dangling'));
    for (const taken of [path, join(folder, 'dangling'), victim]) {
      await assert.rejects(createFile(taken), { code: 'EEXIST' });
      assert.throws(() => createFileSync(taken), { code: 'EEXIST' });
      await assert.rejects(linkOrCopy(victim, taken), { code: 'EEXIST' });
    }
    await isUntouched();
    assert.deepEqual((await readdir(folder)).sort(), ['dangling', 'out', 'victim']);
  });

  it('appends to regular files only: no link, no second name, no pipe', async function () {
    for (const piece of ['a', 'b']) {
      const file = await openToAppend(path);
      await file.appendFile(piece);
      await file.close();
    }
    assert.equal(await readFile(path, 'utf8'), 'ab');
    const other = join(folder, 'other');
    await link(victim, other);
    await assert.rejects(openToAppend(other), saying('base.hardLinkedTarget'));
    await assert.rejects(openToAppend(victim), saying('base.hardLinkedTarget'));
    if (process.platform === 'win32') this.skip();
    await symlink(victim, join(folder, 'link'));
    await assert.rejects(openToAppend(join(folder, 'link')), { code: 'ELOOP' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await assert.rejects(openToAppend(join(folder, 'pipe')), { code: 'ENXIO' });
    await isUntouched();
  });

  it('opens private files for their owner only', async function () {
    if (process.platform === 'win32') this.skip();
    await replaceFile(path, 'secret', ownerOnly);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('chooses an unpredictable temporary name', () => {
    const owner = ownerToken(thisOwner());
    const randoms = Array.from({ length: 100 }, () => {
      const [, random, token] =
        /^\.out\.([0-9a-f]{16})\.([^.]+)\.part$/.exec(basename(temporaryFor(path))) ?? [];
      assert.equal(token, owner);
      return random;
    });
    assert.equal(new Set(randoms).size, 100);
    // A random bit is equal in all 100 names with a probability of 2^-99.
    const bits = randoms.map((random) => BigInt(`0x${random}`));
    assert.equal(
      bits.reduce((all, each) => all & each),
      0n,
    );
    assert.equal(
      bits.reduce((all, each) => all | each),
      2n ** 64n - 1n,
    );
  });
});
