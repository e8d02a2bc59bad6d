import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Holder } from '../../../src/base/files/lease';
import { type Owner, thisOwner } from '../../../src/base/files/owner';
import { RunLocks, holderOf } from '../../../src/editor/runs/runLocks';
import { fateOf, ResumableRuns } from '../../../src/editor/runs/resumableRuns';
import { RecordStore, type RunRecord } from '../../../src/editor/runs/runRecord';
import { until } from '../../until';

const run = (id: string, parts: Partial<RunRecord> = {}): RunRecord => ({
  id,
  dataset: '/data.tsv',
  probes: ['visla'],
  titles: [],
  evaluators: ['starter'],
  images: [],
  state: 'running',
  createdAt: 1000,
  reports: [],
  ...parts,
});

async function ended(): Promise<Owner> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return { ...thisOwner(), pid: child.pid! };
}

/** Makes the claim in a folder look so old that its window must be gone; answers since when. */
async function aged(folder: string): Promise<number> {
  const past = new Date(Date.now() - 150_000);
  const [claim] = await readdir(folder);
  await utimes(join(folder, claim), past, past);
  return past.getTime();
}

describe('whose a run is', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-claims-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is its window, until that lets it go', async () => {
    const [here, there] = [new RunLocks(), new RunLocks({ ...thisOwner(), pid: process.ppid, started: 0 })];
    assert.equal(await holderOf(folder), undefined);
    assert.ok(await here.take(folder));
    assert.ok(await here.take(folder), 'its own again');
    assert.equal(await there.take(folder), false);
    assert.ok((await holderOf(folder))?.held);
    await here.release(folder);
    assert.equal(await holderOf(folder), undefined);
    assert.ok(await there.take(folder));
  });

  it('is nobody when the window says that it goes, and that is remembered with its time', async () => {
    const claims = new RunLocks();
    await claims.take(folder);
    const before = await aged(folder);
    claims.leave();
    const holder = await holderOf(folder);
    assert.equal(holder?.held, false);
    assert.ok(holder.seenAt > before);
    assert.ok(await new RunLocks().take(folder));
  });

  it('is nobody when the process is gone, or was silent too long to be the same', async () => {
    await new RunLocks(await ended()).take(folder);
    assert.equal((await holderOf(folder))?.held, false);
    const claims = new RunLocks();
    assert.ok(await claims.take(folder));
    const past = await aged(folder);
    const holder = await holderOf(folder);
    assert.equal(holder?.held, false);
    assert.ok(Math.abs(holder.seenAt - past) < 2);
  });

  it('is a window of another host until its heartbeat is overdue, whatever process has its id here', async () => {
    const far = { ...thisOwner(), host: '0123456789abcdef' };
    for (const pid of [process.pid, (await ended()).pid]) {
      const locks = new RunLocks({ ...far, pid });
      assert.ok(await locks.take(folder));
      assert.ok((await holderOf(folder))?.held);
      assert.equal(await new RunLocks().take(folder), false);
      await aged(folder);
      assert.equal((await holderOf(folder))?.held, false);
      const here = new RunLocks();
      assert.ok(await here.take(folder));
      await here.release(folder);
      await locks.release(folder);
    }
  });

  it('is one, however many want it', async () => {
    await new RunLocks(await ended()).take(folder);
    const many = Array.from({ length: 12 }, () => new RunLocks());
    const taken = await Promise.all(many.map((claims) => claims.take(folder)));
    assert.equal(taken.filter(Boolean).length, 1);
  });
});

describe('what becomes of a run that was going on', () => {
  const now = 10_000_000;
  const gone: Holder = { held: false, seenAt: now - 30_000 };

  it('goes on where its window was lost', () => {
    assert.equal(fateOf(run('a'), gone, true, now), 'resume');
    assert.equal(fateOf(run('a', { state: 'queued' }), gone, true, now), 'resume');
  });

  it('stays in a window that is there', () => {
    assert.equal(fateOf(run('a'), { held: true, seenAt: now }, true, now), 'elsewhere');
  });

  it('waits for a person who does not want that, who came back much later, or whose window it takes down', () => {
    assert.equal(fateOf(run('a'), gone, false, now), 'leave');
    assert.equal(fateOf(run('a'), { held: false, seenAt: now - 2 * 3600_000 }, true, now), 'leave');
    assert.equal(fateOf(run('a', { createdAt: 0 }), undefined, true, now), 'leave');
    assert.equal(fateOf(run('a', { takenUp: 2 }), gone, true, now), 'resume');
    assert.equal(fateOf(run('a', { takenUp: 3 }), gone, true, now), 'leave');
  });
});

describe('runs left over', () => {
  let root: string;
  let store: RecordStore;
  const localized: string[] = [];
  let windows: Map<string, Holder>;
  let resumable: ResumableRuns;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'captious-left-'));
    store = new RecordStore(root);
    localized.length = 0;
    windows = new Map();
    resumable = new ResumableRuns({
      holderOf: (record) => Promise.resolve(windows.get(record.id)),
      read: (id) => store.read(id),
      wanted: () => true,
      resume: (record) => {
        localized.push(`resume ${record.id} ${record.takenUp}`);
        return Promise.resolve(true);
      },
      leave: (record, why) => {
        localized.push(`leave ${record.id} ${why?.kind ?? ''}`.trim());
        return Promise.resolve();
      },
      replaced: (record, by) => {
        localized.push(`${record.id} is ${by?.state ?? 'gone'}`);
      },
      onProblem: (message) => {
        localized.push(message);
      },
    });
  });

  afterEach(async () => {
    resumable.dispose();
    await rm(root, { recursive: true });
  });

  const seen = () => ({ held: false, seenAt: Date.now() });

  it('are taken up, the oldest first', async () => {
    const records = [
      run('new', { createdAt: 3000 }),
      run('old', { createdAt: 1000 }),
      run('stuck', { createdAt: 2000, takenUp: 3 }),
    ];
    for (const { id } of records) windows.set(id, seen());
    await resumable.settle(records);
    assert.deepEqual(localized, ['resume old 1', 'leave stuck interrupted', 'resume new 1']);
  });

  it('are followed in another window, and taken up when that is gone', async () => {
    const [ends, dies, goes] = ['ends', 'dies', 'goes'].map((id) => run(id));
    for (const record of [ends, dies, goes]) {
      await store.save(record);
      windows.set(record.id, { held: true, seenAt: Date.now() });
    }
    await resumable.settle([ends, dies, goes]);
    assert.deepEqual(localized, []);
    assert.ok(resumable.isElsewhere(dies));
    await store.save({ ...ends, state: 'done' });
    await store.remove('goes');
    windows.set('dies', seen());
    await until(() => localized.length === 3);
    assert.deepEqual(localized.sort(), ['ends is done', 'goes is gone', 'resume dies 1']);
    assert.equal(resumable.isElsewhere(dies), false);
  });
});
