import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sessionFile } from '../../../../src/editor/sessions/sessionFile';

describe("an annotator's session file", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-session-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('is never that of another annotator, and is found under any name', async () => {
    const stem = join(folder, 'data');
    const ending = '.triplets.json';
    const names = ['Ann B', 'Ann_B', 'ann b', '王', '李'];
    const paths = await Promise.all(names.map((name) => sessionFile(stem, name, ending)));
    assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, names.length);
    assert.ok(paths.every((path) => basename(path).startsWith('data.') && path.endsWith(ending)));
    // A file with a name of an earlier version.
    const former = join(folder, `data.Ann_B${ending}`);
    await writeFile(former, JSON.stringify({ annotator: 'Ann B' }));
    await writeFile(join(folder, `data.broken${ending}`), '{');
    assert.equal(await sessionFile(stem, 'Ann B', ending), former);
    assert.notEqual(await sessionFile(stem, 'Ann_B', ending), former);
  });
});
