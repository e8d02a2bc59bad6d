import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scratch } from '../../../../src/base/files/scratch';

describe('Scratch', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-scratch-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns the bytes of each position, also after some were replaced', () => {
    const scratch = new Scratch(folder);
    const pieces = Array.from({ length: 20 }, (_, i) => Buffer.alloc(1000 + i, i));
    const positions = pieces.map((piece) => scratch.write(piece)!);
    assert.equal(scratch.write(Buffer.alloc(1003, 99), positions[3]), positions[3]);
    pieces[3].fill(99);
    for (const [i, piece] of pieces.entries()) {
      const into = Buffer.alloc(piece.length);
      scratch.read(into, positions[i]);
      assert.deepEqual(into, piece);
    }
    scratch.close();
  });

  it('leaves no file behind', async () => {
    const scratch = new Scratch(join(folder, 'new'));
    scratch.write(Buffer.from('x'));
    assert.deepEqual(await readdir(join(folder, 'new')), []);
    scratch.close();
  });

  it('writes nothing into an invalid folder, or after it was closed', () => {
    assert.equal(new Scratch(join(process.execPath, 'x')).write(Buffer.from('x')), undefined);
    const scratch = new Scratch(folder);
    scratch.close();
    assert.equal(scratch.write(Buffer.from('x')), undefined);
  });
});
