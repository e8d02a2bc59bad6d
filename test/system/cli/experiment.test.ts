import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../until';
import { captious, type Ended } from '../../unit/cli/captious';

interface Result extends Ended {
  json: {
    sha256: string;
    cells: {
      dataset: string;
      probe: string;
      evaluator: string;
      state: string;
      report?: string;
      error?: string;
    }[];
    brokenThresholds: { evaluator: string; condition: string }[];
    outputs: string[];
  };
}

describe('captious run', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'captious-run-'));
  const cli = resolve('dist/cli.js');
  const clip = resolve('test/fixtures/models/clip');
  const home = join(folder, 'home');
  let root: string;
  const base = {
    datasets: ['one.json', 'two.json'],
    probes: ['lgip', 'invariance'],
    evaluators: [clip, { kind: 'clipscore', name: 'mine', encoder: clip }],
    ...{ limit: 2, spread: false, out: 'reports' },
  };

  function write(keys: object): void {
    writeFileSync(join(folder, 'captious.json'), JSON.stringify({ ...base, ...keys }));
  }

  function start(...args: string[]) {
    const child = spawn(process.execPath, [cli, 'run', ...args], {
      cwd: folder,
      env: { ...process.env, CAPTIOUS_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    return { child, ended, err: () => err };
  }

  async function run(...args: string[]): Promise<Result> {
    const ended = await captious(home, 'run', '--json', ...args);
    return { ...ended, json: ended.out.startsWith('{') ? JSON.parse(ended.out) : undefined };
  }
  const states = ({ json }: Result): string[] => json.cells.map(({ state }) => state);
  const count = (result: Result, state: string): number =>
    states(result).filter((own) => own === state).length;

  before(() => {
    for (const name of ['one.json', 'two.json']) cpSync('samples/captions.json', join(folder, name));
    cpSync('samples/images', join(folder, 'images'), { recursive: true });
    root = process.cwd();
    process.chdir(folder);
  });

  after(() => {
    process.chdir(root);
    rmSync(folder, { recursive: true });
  });

  it('runs every cell once, then only what changed', async () => {
    write({});
    const planned = await run('--dry-run');
    assert.equal(planned.code, 0);
    assert.equal(count(planned, 'waiting'), 8);
    assert.ok(!existsSync(join(folder, 'reports')));

    const first = await run();
    assert.equal(first.code, 0, first.err);
    assert.equal(count(first, 'done'), 8);
    const report = join(folder, 'reports', 'one', 'lgip.mine.report.json');
    const { experiment } = JSON.parse(readFileSync(report, 'utf8')) as { experiment: object };
    assert.deepEqual(experiment, { file: 'captious.json', sha256: first.json.sha256 });

    const made = statSync(report).mtimeMs;
    const second = await run();
    assert.equal(count(second, 'unchanged'), 8);
    assert.equal(second.err.split('\n').filter((line) => line.startsWith('unchanged: ')).length, 8);
    assert.equal(statSync(report).mtimeMs, made);

    const two = readFileSync(join(folder, 'two.json'), 'utf8');
    writeFileSync(join(folder, 'two.json'), two.replace(/"caption": "A /, '"caption": "One '));
    const edited = await run();
    assert.deepEqual(states(edited), [...Array(4).fill('unchanged'), ...Array(4).fill('done')]);

    write({ probes: ['lgip', { id: 'invariance', options: { captions: 'dataset' } }] });
    const option = await run('--dry-run');
    const changed = option.json.cells.filter(({ state }) => state === 'waiting');
    assert.deepEqual(new Set(changed.map(({ probe }) => probe)), new Set(['invariance']));

    write({ evaluators: [clip, { kind: 'clipscore', name: 'mine', encoder: clip, weight: 3 }] });
    const evaluator = await run('--dry-run');
    const other = evaluator.json.cells.filter(({ state }) => state === 'waiting');
    assert.deepEqual(new Set(other.map((cell) => cell.evaluator)), new Set(['mine']));
    assert.equal(other.length, 4);
  });

  it('makes the other cells if one fails, and says why', async () => {
    write({
      ...{ datasets: ['one.json'], probes: ['lgip', 'visla'], out: 'broken' },
      evaluators: [clip, { kind: 'clipscore', name: 'mine', encoder: './none' }],
    });
    const { code, json } = await run();
    assert.equal(code, 2);
    assert.deepEqual(
      json.cells.map(({ probe, evaluator, state }) => [probe, evaluator, state]),
      [
        ['lgip', clip, 'done'],
        ['lgip', 'mine', 'failed'],
        ['visla', clip, 'failed'],
        ['visla', 'mine', 'failed'],
      ],
    );
    for (const { state, error } of json.cells) assert.equal(error !== undefined, state === 'failed');
    assert.ok(existsSync(join(folder, 'broken', 'lgip.clip.report.json')));
    assert.equal(count(await run(), 'unchanged'), 1);
  });

  it('fails with code 1 if a threshold is broken, and writes the outputs', async () => {
    const one = { datasets: ['one.json'], probes: ['lgip'], evaluators: [clip], out: 'gated' };
    write({ ...one, thresholds: { failOn: 'lgip.pr <= 1' }, outputs: ['md', 'csv', 'tex'] });
    const broken = await run();
    assert.equal(broken.code, 1);
    assert.deepEqual(
      broken.json.brokenThresholds.map(({ condition }) => condition),
      ['lgip.pr <= 1'],
    );
    for (const name of ['lgip.clip.md', 'lgip.clip.csv', 'paper/methods.tex'])
      assert.ok(existsSync(join(folder, 'gated', name)), name);
    const methods = readFileSync(join(folder, 'gated', 'paper', 'methods.tex'), 'utf8');
    assert.ok(methods.includes(broken.json.sha256));

    rmSync(join(folder, 'gated', 'lgip.clip.md'));
    write({ ...one, thresholds: { failOn: 'lgip.pr > 1' }, outputs: ['md', 'csv'] });
    const passed = await run();
    assert.equal(passed.code, 0);
    assert.deepEqual(states(passed), ['unchanged']);
    assert.deepEqual(
      passed.json.outputs.map((path) => path.slice(-3)),
      ['.md'],
    );
  });

  it('keeps finished cells when it is interrupted, and continues', async () => {
    write({ limit: 4, out: 'stopped' });
    const { child, ended, err } = start('--json');
    await until(() => err().includes('done: '));
    child.kill('SIGINT');
    assert.equal(await ended, 3);
    const next = await run();
    assert.equal(next.code, 0, next.err);
    assert.ok(count(next, 'unchanged') > 0);
    assert.ok(count(next, 'done') > 0);
    assert.equal(next.json.cells.length, 8);
  });

  it('runs the cells in parts, each with a state of its own, and the whole run makes nothing again', async () => {
    write({ out: 'parts', limit: 1, probes: ['lgip'] });
    // The four cells are four units: two datasets with two evaluators each.
    const [first, second] = await Promise.all([run('--shard=1/2'), run('--shard=2/2')]);
    assert.deepEqual([first, second].map(states), [Array(2).fill('done'), Array(2).fill('done')]);
    assert.deepEqual(
      first.json.cells.map(({ dataset, evaluator }) => [dataset, evaluator]),
      [
        ['one', clip],
        ['two', clip],
      ],
    );
    assert.deepEqual(states(await run()), Array(4).fill('unchanged'));
    const jobs = await captious(home, 'run', '--shards=9', '--dry-run', '--time=10');
    assert.match(jobs.out, /--array=0-3\n[^]*set -- run --shard="\$shard"[^]*--dependency=afterany:ID/);
    assert.ok(!existsSync(join(folder, 'parts', 'shards.sbatch')));
    assert.equal((await run('--time=10')).code, 2);
  });

  it('reports a mistake in the file, a missing file and an unknown run with code 2', async () => {
    write({ probse: [] });
    assert.equal((await run()).code, 2);
    assert.equal((await run('--file', 'none.json')).code, 2);
    write({ runs: { quick: { limit: 1 } } });
    assert.equal((await run('quik')).code, 2);
    assert.equal((await run('quick', 'quick')).code, 2);
    writeFileSync(join(folder, 'captious.yaml'), 'datasets: []');
    assert.match((await run('--dry-run')).err, /captious\.yaml/);
    rmSync(join(folder, 'captious.yaml'));
  });
});
