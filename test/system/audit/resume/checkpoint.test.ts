import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { CaptiousError } from '../../../../src/base/errors';
import { ownerToken, thisOwner } from '../../../../src/base/files/owner';
import { withOtherDraws } from '../../../unit/audit/otherDraws';

const clip = resolve('test/fixtures/models/clip');
const other = resolve('test/fixtures/models/clip-two-graphs');
const images = resolve('test/fixtures/models/pictures');
const dead = ownerToken({ ...thisOwner(), pid: spawnSync(process.execPath, ['-e', '']).pid });
const parent = ownerToken({ ...thisOwner(), pid: process.ppid, started: 0 });
const otherHost = ownerToken({ ...thisOwner(), host: '0123456789abcdef' });

const things = ['a red bus', 'two dogs', 'a man with a white hat', 'three cats on a table', '自行车'];

describe('a stopped run', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let imageFiles: string[];
  let whole: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-journal-'));
    file = join(folder, 'captions.jsonl');
    imageFiles = (await readdir(images)).filter((name) => /\.(png|jpg)$/.test(name));
    for (const name of imageFiles) await copyFile(join(images, name), join(folder, name));
    await writeFile(join(folder, 'torn.png'), 'no picture');
    const lines = Array.from({ length: 110 }, (_, i) => {
      const image =
        i % 50 === 7 ? 'torn.png' : i % 60 === 9 ? 'nowhere.png' : imageFiles[i % imageFiles.length];
      const caption = `${things[i % things.length]} by house ${i}${' far away'.repeat(i % 90 === 3 ? 40 : i % 3)}`;
      return i % 70 === 11 ? '{"image": 3' : JSON.stringify({ image, caption });
    });
    await writeFile(file, `${lines.join('\n')}\n`);
    ({ all: whole } = await finished('whole'));
  });
  after(() => rm(folder, { recursive: true }));

  function request(out: string, changes: Partial<AuditRequest>): AuditRequest {
    return {
      dataset: file,
      probes: ['lgip'],
      evaluators: [clip, other],
      home: join(folder, `home of ${out}`),
      out: join(folder, out),
      signal: new AbortController().signal,
      ...changes,
    };
  }

  /** Cancels after this many examples. Changes the checkpoint as if the process `owner` had written it. */
  async function stopped(out: string, examples: number, owner = dead): Promise<void> {
    const controller = new AbortController();
    const run = runAudit(
      request(out, {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'partialMetrics' && event.partialMetrics[0].examples >= examples)
            controller.abort();
          if (event.type === 'progress' && event.progress.examples >= examples) controller.abort();
        },
      }),
    );
    await assert.rejects(run, (error) => error instanceof CaptiousError && error.kind === 'interrupted');
    const names = await left(out);
    assert.equal(names.length, 3, 'the journal, and rows of two evaluators');
    for (const name of names) {
      const path = join(folder, out, ownedBy(owner)(name));
      await rename(join(folder, out, name), path);
      if (!name.startsWith('.journal')) continue;
      const [first, ...marks] = (await readFile(path, 'utf8')).split('\n');
      const head = JSON.parse(first.slice(9)) as { parts: string[] };
      const json = JSON.stringify({ ...head, parts: head.parts.map(ownedBy(owner)) });
      await writeFile(path, [`${sumOf(json)} ${json}`, ...marks].join('\n'));
    }
  }

  function ownedBy(owner: string): (name: string) => string {
    return (name) => name.replace(/[^.]+\.part$/, `${owner}.part`);
  }

  function sumOf(json: string): string {
    return crc32(json).toString(16).padStart(8, '0');
  }

  async function left(out: string): Promise<string[]> {
    return (await readdir(join(folder, out))).filter((name) => name.endsWith('.part'));
  }

  /** Runs to the end. Returns the messages, and how many examples came from the checkpoint. */
  async function runToEnd(
    out: string,
    changes: Partial<AuditRequest> = {},
  ): Promise<{ taken: number; said: string }> {
    let said = '';
    await runAudit(
      request(out, {
        ...changes,
        onEvent: (event) => {
          if (event.type === 'notice') said += event.message;
        },
      }),
    );
    const last = said.slice(said.lastIndexOf('This run'));
    return { taken: Number(/resumes after ([\d,]+)/.exec(last)?.[1] ?? 0), said };
  }

  /** Runs to the end. Also returns the names and contents of the folder's files. */
  async function finished(
    out: string,
    changes: Partial<AuditRequest> = {},
  ): Promise<{ all: string; taken: number; said: string }> {
    const ended = await runToEnd(out, changes);
    const names = (await readdir(join(folder, out))).sort();
    const texts = await Promise.all(
      names.map(async (name) => `${name}\n${await readFile(join(folder, out, name), 'utf8')}`),
    );
    return { ...ended, all: texts.join('') };
  }

  it('resumes with identical bytes, including examples left out and texts truncated', async () => {
    for (const localized of [
      /audit\.notScored/,
      /probe\.imageNotFound/,
      /broken-row/,
      /audit\.truncatedTexts/,
      /"images": \{\s*"count": /,
    ])
      assert.match(whole, localized);
    await stopped('stopped', 40);
    const rest = await finished('stopped');
    assert.ok(rest.taken >= 30 && rest.taken < 110, `${rest.taken}`);
    assert.equal(rest.all, whole);
  });

  it('resumes twice', async () => {
    await stopped('twice', 1);
    await stopped('twice', 40);
    const rest = await finished('twice');
    assert.ok(rest.taken >= 30, `${rest.taken}`);
    assert.equal(rest.all, whole);
  });

  it('is not resumed by a different run, and its checkpoint remains', async () => {
    await stopped('other', 1);
    const names = await left('other');
    await writeFile(join(folder, 'again.jsonl'), await readFile(file));
    const changes: Partial<AuditRequest>[] = [
      { seed: 7 },
      { options: { lgip: { asInPaper: 'true' } } },
      { evaluators: [clip] },
      { limit: 100 },
      { dataset: join(folder, 'again.jsonl') },
    ];
    for (const change of changes)
      await assert.rejects(finished('other', { ...change, signal: AbortSignal.abort() }));
    assert.deepEqual(await left('other'), names);
    for (const change of changes.slice(0, 2)) assert.equal((await finished('other', change)).taken, 0);
    assert.deepEqual(await left('other'), names);
  });

  it('is not resumed by a run whose draws have another version', async () => {
    await stopped('drawn', 40);
    const names = await left('drawn');
    assert.equal((await withOtherDraws(() => runToEnd('drawn'))).taken, 0);
    assert.deepEqual(await left('drawn'), names);
    assert.ok((await runToEnd('drawn')).taken >= 30);
  });

  it('resumes from the last mark before damaged rows', async () => {
    await stopped('flipped', 40);
    const name = (await left('flipped')).find((part) => part.includes('two-graphs'))!;
    const path = join(folder, 'flipped', name);
    const rows = await readFile(path);
    rows[rows.length - 30] ^= 1;
    await writeFile(path, rows);
    const written = rows.toString('latin1').split('\n').length - 1;
    const rest = await finished('flipped');
    assert.ok(rest.taken > 0 && rest.taken < written, `${rest.taken} of ${written}`);
    assert.equal(rest.all, whole);
  });

  it('expires after two weeks, or without its checkpoint or rows', async () => {
    await stopped('old', 1);
    const old = new Date(Date.now() - 15 * 24 * 3600_000);
    for (const name of await left('old')) await utimes(join(folder, 'old', name), old, old);
    await finished('old', { seed: 7 });
    assert.deepEqual(await left('old'), []);
    await stopped('torn', 1);
    const checkpoint = (await left('torn')).find((name) => name.startsWith('.journal'))!;
    await writeFile(join(folder, 'torn', checkpoint), 'nonsense\n');
    await stopped('without rows', 1);
    const part = (await left('without rows')).find((name) => !name.startsWith('.journal'))!;
    await rm(join(folder, 'without rows', part));
    for (const out of ['torn', 'without rows']) {
      const rest = await finished(out);
      assert.equal(rest.taken, 0);
      assert.equal(rest.all, whole);
      // If the head is unreadable, Captious cannot know which run the checkpoint belongs to, and reports no damage.
      assert.equal(/are damaged/.test(rest.said), out === 'without rows');
    }
  });

  it('does not touch the checkpoint of a run in progress', async () => {
    await stopped('alive', 1);
    const names = await left('alive');
    const alive = ownedBy(parent);
    await mkdir(join(folder, 'shared'));
    for (const name of names) await rename(join(folder, 'alive', name), join(folder, 'shared', alive(name)));
    assert.equal((await finished('shared')).taken, 0);
    assert.deepEqual((await left('shared')).sort(), names.map(alive).sort());
  });

  it('is not touched on another host until its heartbeat is overdue', async () => {
    await stopped('far', 40, otherHost);
    const names = await left('far');
    assert.equal((await finished('far', { seed: 7 })).taken, 0);
    assert.deepEqual(await left('far'), names);
    const overdue = new Date(Date.now() - 150_000);
    for (const name of names) await utimes(join(folder, 'far', name), overdue, overdue);
    const rest = await finished('far');
    assert.ok(rest.taken >= 30, `${rest.taken}`);
    assert.deepEqual(await left('far'), names, 'the files of the other host stay');
  });

  it('resumes at once on another host after its own host released it', async () => {
    await stopped('released', 40, otherHost);
    const checkpoint = (await left('released')).find((name) => name.startsWith('.journal'))!;
    await rename(join(folder, 'released', checkpoint), join(folder, 'released', ownedBy('free')(checkpoint)));
    const rest = await finished('released');
    assert.ok(rest.taken >= 30, `${rest.taken}`);
    assert.equal(rest.all, whole);
  });

  it('resumes at once on another host if the scheduler has requeued its task', async () => {
    try {
      process.env.SLURM_JOB_ID = '7';
      await stopped('requeued', 40, otherHost);
      // The same attempt may still be running in another process, so its checkpoint is not used.
      assert.equal((await finished('requeued', { seed: 7 })).taken, 0);
      process.env.SLURM_RESTART_COUNT = '1';
      const rest = await finished('requeued');
      assert.ok(rest.taken >= 30, `${rest.taken}`);
      assert.equal(rest.all, whole);
    } finally {
      delete process.env.SLURM_JOB_ID;
      delete process.env.SLURM_RESTART_COUNT;
    }
  });

  it('is resumed by only one of two processes', async () => {
    await stopped('two', 40);
    const runs = await Promise.all(
      ['one', 'other'].map((home) => runToEnd('two', { home: join(folder, home) })),
    );
    assert.equal(runs.filter(({ taken }) => taken >= 30).length, 1);
    assert.equal(runs.filter(({ taken }) => taken === 0).length, 1);
  });

  it('resumes only up to the first changed image', async () => {
    await stopped('photos', 40);
    await copyFile(join(images, imageFiles[0]), join(folder, 'torn.png'));
    const rest = await finished('photos');
    assert.ok(
      rest.taken < 10,
      `one of its first ten photos was mended, but ${rest.taken} examples were taken`,
    );
    assert.match(rest.said, /its images have changed/);
    assert.equal(rest.all, (await finished('whole again')).all);
    assert.notEqual(rest.all, whole);
  });
});
