import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../src/base/random';

const data = resolve('../shared/data/visla/Generic_VISLA.tsv');
const model = resolve('.cache/models/all-MiniLM-L6-v2');
const runs = 20;
/** So few that kills also happen near the end of a run, while rows and reports are written. */
const rows = 300;

function descendants(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
  return [...own, ...own.flatMap(descendants)];
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pids: readonly number[], withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(50)) {
    if (!pids.some(isProcessAlive)) return true;
  }
  return false;
}

describe('kill -9 during a run', function () {
  this.timeout(900_000);
  let folder: string;
  let reference: string;

  function start(name: string): ChildProcess {
    const out = join(folder, name, 'out');
    const limit = ['--limit', String(rows)];
    return spawn(
      process.execPath,
      ['dist/cli.js', 'audit', data, '--probe', 'visla', '--evaluator', model, '--out', out, ...limit],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, CAPTIOUS_HOME: join(folder, name) } },
    );
  }

  async function reportOf(name: string): Promise<string> {
    const out = join(folder, name, 'out');
    const files = (await readdir(out)).sort();
    assert.deepEqual(files, ['visla.all-MiniLM-L6-v2.report.json', 'visla.all-MiniLM-L6-v2.rows.jsonl']);
    return (await Promise.all(files.map((file) => readFile(join(out, file), 'utf8')))).join('');
  }

  before(async function () {
    if (!existsSync(data) || !existsSync(model)) {
      console.log(`      skipped: ${data} and ${model} are needed (node scripts/fetch-models.mjs)`);
      this.skip();
    }
    folder = await mkdtemp(join(tmpdir(), 'captious-kill-'));
    const [code] = (await once(start('reference'), 'exit')) as [number];
    assert.equal(code, 0);
    reference = await reportOf('reference');
  });
  after(() => (folder === undefined ? undefined : rm(folder, { recursive: true })));

  for (let run = 0; run < runs; run++) {
    const random = new Random('kill', run);
    const victim = run % 2 === 0 ? 'the command' : 'the model process';
    const twice = run % 5 === 4;
    it(`run ${run}: ${victim}${twice ? ', twice in a row' : ''}; the next run ends with the same report`, async () => {
      const name = `run${run}`;
      for (let kill = 0; kill < (twice ? 2 : 1); kill++) {
        const command = start(name);
        let said = '';
        command.stderr!.on('data', (piece: Buffer) => (said += piece.toString()));
        const exit = once(command, 'exit') as Promise<[number | null]>;
        await Promise.race([wait(100 + random.below(3000)), exit]);
        const family = descendants(command.pid!);
        if (victim === 'the command') command.kill('SIGKILL');
        else for (const pid of family) process.kill(pid, 'SIGKILL');
        const [code] = await exit;
        if (victim !== 'the command' && family.length > 0 && code !== 0) {
          assert.equal(code, 3, said);
          assert.match(said, /again/);
        }
        assert.ok(await gone(family, 5000), 'a process was left behind');
      }
      const [code] = (await once(start(name), 'exit')) as [number];
      assert.equal(code, 0);
      assert.equal(await reportOf(name), reference);
    });
  }
});
