import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Holder } from '../../../../src/base/files/lease';
import { type Owner, thisOwner } from '../../../../src/base/files/owner';
import { RunLocks, holderOf } from '../../../../src/editor/runs/runLocks';
import { fateOf, ResumableRuns } from '../../../../src/editor/runs/resumableRuns';
import { RecordStore, type RunRecord } from '../../../../src/editor/runs/runRecord';
import { until } from '../../../until';

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

/** Makes a window's lease look abandoned. Returns the time of its last heartbeat. */
async function aged(folder: string): Promise<number> {
  const past = new Date(Date.now() - 150_000);
  const [claim] = await readdir(folder);
  await utimes(join(folder, claim), past, past);
  return past.getTime();
}

describe('the owner of a run', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-claims-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is its window until the lease is released', async () => {
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

  it('is absent after a window leaves, with the time it left', async () => {
    const claims = new RunLocks();
    await claims.take(folder);
    const before = await aged(folder);
    claims.leave();
    const holder = await holderOf(folder);
    assert.equal(holder?.held, false);
    assert.ok(holder.seenAt > before);
    assert.ok(await new RunLocks().take(folder));
  });

  it('is absent if the process has ended or its heartbeat is too old', async () => {
    await new RunLocks(await ended()).take(folder);
    assert.equal((await holderOf(folder))?.held, false);
    const claims = new RunLocks();
    assert.ok(await claims.take(folder));
    const past = await aged(folder);
    const holder = await holderOf(folder);
    assert.equal(holder?.held, false);
    assert.ok(Math.abs(holder.seenAt - past) < 2);
  });

  it('is a window on another host until its heartbeat is overdue, regardless of local process ids', async () => {
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

  it('is exactly one of many that compete', async () => {
    await new RunLocks(await ended()).take(folder);
    const many = Array.from({ length: 12 }, () => new RunLocks());
    const taken = await Promise.all(many.map((claims) => claims.take(folder)));
    assert.equal(taken.filter(Boolean).length, 1);
  });
});

describe('unfinished runs', () => {
  const now = 10_000_000;
  const gone: Holder = { held: false, seenAt: now - 30_000 };

  it('are resumed if their window was lost', () => {
    assert.equal(fateOf(run('a'), gone, true, now), 'resume');
    assert.equal(fateOf(run('a', { state: 'queued' }), gone, true, now), 'resume');
  });

  it('stay with a window that is open', () => {
    assert.equal(fateOf(run('a'), { held: true, seenAt: now }, true, now), 'elsewhere');
  });

  it('wait for the user if the setting is off, the window closed long ago, or the run crashed repeatedly', () => {
    assert.equal(fateOf(run('a'), gone, false, now), 'leave');
    assert.equal(fateOf(run('a'), { held: false, seenAt: now - 2 * 3600_000 }, true, now), 'leave');
    assert.equal(fateOf(run('a', { createdAt: 0 }), undefined, true, now), 'leave');
    assert.equal(fateOf(run('a', { takenUp: 2 }), gone, true, now), 'resume');
    assert.equal(fateOf(run('a', { takenUp: 3 }), gone, true, now), 'leave');
  });
});

describe('runs of other windows', () => {
  let root: string;
  let store: RecordStore;
  const events: string[] = [];
  let windows: Map<string, Holder>;
  let resumable: ResumableRuns;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'captious-left-'));
    store = new RecordStore(root);
    events.length = 0;
    windows = new Map();
    resumable = new ResumableRuns({
      holderOf: (record) => Promise.resolve(windows.get(record.id)),
      read: (id) => store.read(id),
      wanted: () => true,
      resume: (record) => {
        events.push(`resume ${record.id} ${record.takenUp}`);
        return Promise.resolve(true);
      },
      leave: (record, why) => {
        events.push(`leave ${record.id} ${why?.kind ?? ''}`.trim());
        return Promise.resolve();
      },
      replaced: (record, by) => {
        events.push(`${record.id} is ${by?.state ?? 'gone'}`);
      },
      onProblem: (message) => {
        events.push(message);
      },
    });
  });

  afterEach(async () => {
    resumable.dispose();
    await rm(root, { recursive: true });
  });

  const seen = () => ({ held: false, seenAt: Date.now() });

  it('are resumed, oldest first', async () => {
    const records = [
      run('new', { createdAt: 3000 }),
      run('old', { createdAt: 1000 }),
      run('stuck', { createdAt: 2000, takenUp: 3 }),
    ];
    for (const { id } of records) windows.set(id, seen());
    await resumable.settle(records);
    assert.deepEqual(events, ['resume old 1', 'leave stuck interrupted', 'resume new 1']);
  });

  it('are followed in another window, and resumed after its loss', async () => {
    const [ends, dies, goes] = ['ends', 'dies', 'goes'].map((id) => run(id));
    for (const record of [ends, dies, goes]) {
      await store.save(record);
      windows.set(record.id, { held: true, seenAt: Date.now() });
    }
    await resumable.settle([ends, dies, goes]);
    assert.deepEqual(events, []);
    assert.ok(resumable.isElsewhere(dies));
    await store.save({ ...ends, state: 'done' });
    await store.discard('goes');
    windows.set('dies', seen());
    await until(() => events.length === 3);
    assert.deepEqual(events.sort(), ['ends is done', 'goes is gone', 'resume dies 1']);
    assert.equal(resumable.isElsewhere(dies), false);
  });
});
