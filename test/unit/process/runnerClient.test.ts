import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exit } from '../../../src/base/childProcess';
import { type Runner, Runners } from '../../../src/process/runnerClient';
import { until } from '../../until';

/** A process that records its start, and answers the order of a run with its id. */
const script = `require('node:fs').appendFileSync(process.env.CAPTIOUS_HOME + '/started', process.pid + ' ');
process.on('message', ({ type, id }) => {
  if (type !== 'ask') return;
  process.send({ type: 'notice', message: String(process.pid) });
  process.send({ type: 'answer', id, answer: {} }, () => process.exit(0));
});`;
const order = { dataset: '', probes: [], evaluators: [], images: [], out: '', home: '' };

describe('the process of the next run', () => {
  let folder: string;
  let home: string;
  let runners: Runners;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-runners-'));
    home = mkdtempSync(join(folder, 'home-'));
    writeFileSync(join(folder, 'runner.js'), script);
    runners = create();
  });
  afterEach(() => {
    runners.dispose();
    rmSync(folder, { recursive: true });
  });

  function create(unusedMs?: number): Runners {
    return new Runners({
      script: join(folder, 'runner.js'),
      home: () => home,
      serve: () => Promise.reject(new Error('No request was expected.')),
      lost: ({ signal }) => new Error(`ended by ${signal}`),
      ...(unusedMs === undefined ? {} : { unusedMs }),
    });
  }

  const started = (): number[] => {
    try {
      return readFileSync(join(home, 'started'), 'utf8').trim().split(' ').map(Number);
    } catch {
      return [];
    }
  };

  /** Runs an order in the process that the next run gets. Returns the id that the process tells, and its end. */
  async function run(): Promise<{ told: unknown[]; exit: Exit | undefined }> {
    const told: unknown[] = [];
    let exit: Exit | undefined;
    const child: Runner = runners.take({
      onMessage: (value) => told.push((value as { message: string }).message),
      onExit: (how) => (exit = how),
    });
    await child.calls.ask('audit', { order });
    await until(() => exit !== undefined);
    return { told, exit };
  }

  it('starts once, before its run, and serves only this run', async () => {
    runners.prepare();
    runners.prepare();
    const { pid } = runners;
    await until(() => started().length > 0);
    const first = await run();
    assert.deepEqual([first.told, first.exit?.code], [[String(pid)], 0]);
    assert.equal(runners.pid, undefined);
    const second = await run();
    assert.deepEqual(started().map(String), [...first.told, ...second.told]);
    assert.notDeepEqual(second.told, first.told);
  });

  it('ends if no run takes it', async () => {
    runners = create(50);
    runners.prepare();
    const pid = runners.pid!;
    await until(() => !isAlive(pid));
    assert.equal(runners.pid, undefined);
  });

  it('is another one for a run with another home folder', async () => {
    runners.prepare();
    const pid = runners.pid!;
    home = mkdtempSync(join(folder, 'home-'));
    assert.deepEqual((await run()).told, started().map(String));
    await until(() => !isAlive(pid));
  });

  it('is another one if the first ended before the run', async () => {
    runners.prepare();
    const pid = runners.pid!;
    process.kill(pid, 'SIGKILL');
    await until(() => runners.pid === undefined);
    assert.notDeepEqual((await run()).told, [String(pid)]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
