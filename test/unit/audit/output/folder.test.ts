import assert from 'node:assert/strict';
import { execSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFolder } from '../../../../src/audit/output/folder';
import { ownerToken, thisOwner } from '../../../../src/base/files/owner';

const other = { ...thisOwner(), host: '0123456789abcdef' };

describe('unfinished files of another host', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "captious other's "))));
  afterEach(() => rm(folder, { recursive: true }));

  async function write(name: string, owner: string, minutes: number): Promise<string> {
    const file = `.${name}.0123456789abcdef.${owner}.part`;
    await writeFile(join(folder, file), '');
    const time = new Date(Date.now() - minutes * 60_000);
    await utimes(join(folder, file), time, time);
    return file;
  }

  it('stay, however long they are silent, and the command to delete them is offered', async () => {
    const stays = [
      await write('lgip.clip.rows.jsonl', ownerToken(other), 6),
      await write('journal-ab', ownerToken(other), 50 * 24 * 60),
    ];
    await write('lgip.old.rows.jsonl', ownerToken({ ...thisOwner(), started: 1 }), 6);
    await write('released.jsonl', 'free', 6);
    const notices: string[] = [];
    await prepareFolder(folder, (message) => void notices.push(message));
    assert.deepEqual((await readdir(folder)).sort(), stays.sort());
    assert.equal(notices.length, 1);
    if (process.platform === 'win32') return;
    execSync(/rm '.*$/.exec(notices[0])![0]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('are not mentioned while that host writes them', async () => {
    await write('lgip.clip.rows.jsonl', ownerToken(other), 1);
    await prepareFolder(folder, assert.fail);
    assert.equal((await readdir(folder)).length, 1);
  });
});
