import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWith } from '../package/environment';
import { wheel } from '../package/wheel';
import { Cluster, whyNot } from './cluster';

/* CAPTIOUS_SLURM_LIMIT sets the examples per file, and CAPTIOUS_SLURM_KILLS the largest number of kills. */
const limit = process.env.CAPTIOUS_SLURM_LIMIT ?? '40';
const kills = Number(process.env.CAPTIOUS_SLURM_KILLS ?? '20');
const cli = resolve('dist/cli.js');
const model = resolve('test/fixtures/models/clip');
const coco = resolve('../shared/data/coco');
const images = join(coco, 'images');
const captions = join(coco, 'captions.json');
const visla = resolve('../shared/data/visla/Generic_VISLA.tsv');

describe('on Slurm', function () {
  this.timeout(3600_000);
  let cluster: Cluster;

  before(function () {
    const reason = whyNot() ?? (existsSync(captions) ? undefined : `${captions} is not here`);
    if (reason !== undefined) {
      console.log(`    (left out: ${reason})`);
      this.skip();
    }
    cluster = new Cluster();
    cluster.start();
  });
  after(() => cluster?.stop());

  function captious(args: readonly string[]): string {
    const ran = spawnSync(process.execPath, [cli, ...args], { env: cluster.env, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    return ran.stdout;
  }

  const asked = (file: string, probes: string, count = limit): string[] => [
    file,
    `--images=${images}`,
    `--probe=${probes}`,
    `--evaluator=${model}`,
    `--limit=${count}`,
  ];

  function submit(args: readonly string[], out: string, shards: number): [shards: string, merge: string] {
    const more = [
      '--engine=slurm',
      `--shards=${shards}`,
      `--out=${out}`,
      '--partition=low',
      '--cpus=1',
      '--json',
    ];
    return (JSON.parse(captious(['submit', ...args, ...more])) as { jobs: [string, string] }).jobs;
  }

  async function finished(job: string): Promise<void> {
    for (;;) {
      const states = [...cluster.states(job).values()].map(({ state }) => state);
      if (states.every((state) => state === 'COMPLETED')) return;
      const bad = states.find((state) => /FAILED|TIMEOUT|CANCELLED|OUT_OF_MEMORY/.test(state));
      assert.equal(bad, undefined, states.join());
      await sleep(500);
    }
  }

  /** How often a shard resumed from a checkpoint, according to the logs. */
  function resumesIn(out: string): number {
    const logs = readdirSync(join(out, 'logs')).filter((name) => name.startsWith('shard-'));
    const texts = logs.map((name) => readFileSync(join(out, 'logs', name), 'utf8'));
    return texts.join('').match(/resumes after/g)?.length ?? 0;
  }

  function sameFiles(merged: string, single: string): number {
    const names = readdirSync(single).filter((name) => /\.(report\.json|rows\.jsonl)$/.test(name));
    for (const name of names) {
      const { status, stdout } = spawnSync('cmp', [join(merged, name), join(single, name)], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout);
    }
    return names.length;
  }

  it('8 shards of each probe equal the single run to the bit', async () => {
    const parts: [file: string, probes: string][] = [
      [captions, 'lgip,rococo,prsm,invariance'],
      [visla, 'visla'],
    ];
    for (const [file, probes] of parts) {
      const [single, out] = ['single', 'shards'].map((name) => join(cluster.folder, `${name} ${probes}`));
      captious(['audit', ...asked(file, probes), `--out=${single}`]);
      const [, merge] = submit(asked(file, probes), out, 8);
      await finished(merge);
      assert.equal(sameFiles(out, single), 2 * probes.split(',').length);
    }
  });

  /** Runs four cells by two evaluators in jobs, and returns the experiment file. */
  async function submitExperiment(name: string, more: readonly string[] = []): Promise<string> {
    const folder = join(cluster.folder, name);
    mkdirSync(folder);
    const file = join(folder, 'captious.json');
    const clipscore = { kind: 'clipscore', name: 'mine', encoder: model };
    writeFileSync(
      file,
      JSON.stringify({
        ...{ datasets: [captions], probes: ['lgip', 'invariance'], evaluators: ['starter', clipscore] },
        ...{ images, limit: 6, spread: false, out: 'reports', outputs: ['csv'] },
        thresholds: { failOn: 'lgip.pr > 1' },
      }),
    );
    const args = ['run', `--file=${file}`, '--json'];
    const submitted = captious([...args, '--shards=8', '--partition=low', '--yes', ...more]);
    const { jobs, out } = JSON.parse(submitted) as { jobs: [string, string]; out: string };
    await finished(jobs[1]);
    // There are two units, one for each evaluator.
    assert.equal(cluster.states(jobs[0]).size, 2);
    assert.ok(existsSync(join(out, 'lgip.mine.csv')));
    const logs = readdirSync(join(out, 'logs')).filter((log) => log.startsWith('merge-'));
    assert.match(readFileSync(join(out, 'logs', logs[0]), 'utf8'), /4 unchanged/);
    return file;
  }

  it('runs the cells of an experiment in tasks, and then its end, which makes nothing again', async () => {
    const file = await submitExperiment('an experiment');
    const { cells } = JSON.parse(captious(['run', `--file=${file}`, '--json'])) as {
      cells: { state: string }[];
    };
    assert.deepEqual(
      cells.map(({ state }) => state),
      Array(4).fill('unchanged'),
    );
  });

  it('jobs of --venv run the Captious that pip installed there, of audits and experiments', async function () {
    const made = spawnSync(process.execPath, ['scripts/wheel.mjs'], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const [env, calls] = ['an env', 'calls'].map((name) => join(cluster.folder, name));
    const installed = environmentWith(wheel, env, calls);
    if (typeof installed === 'string') {
      console.log(`      skipped: ${installed}`);
      return this.skip();
    }
    /** How often the Node.js of the environment started. */
    const starts = (): number => readFileSync(calls, 'utf8').trim().split('\n').length;
    const [single, out] = ['single', 'shards'].map((name) => join(cluster.folder, `${name} venv`));
    captious(['audit', ...asked(captions, 'lgip'), `--out=${single}`]);
    const [, merge] = submit([...asked(captions, 'lgip'), `--venv=${env}`], out, 3);
    await finished(merge);
    assert.equal(sameFiles(out, single), 2);
    assert.equal(starts(), 4);
    await submitExperiment('an experiment with an env', [`--venv=${env}`]);
    // Two tasks and the end of the run.
    assert.equal(starts(), 7);
  });

  it('a shard that is killed again and again, and requeued on other nodes, leaves the same bytes', async () => {
    const [single, out] = ['single', 'shards'].map((name) => join(cluster.folder, `${name} killed`));
    const args = asked(captions, 'lgip', '239');
    captious(['audit', ...args, `--out=${single}`]);
    const [shards] = submit(args, out, 1);
    const task = `${shards}_0`;
    const state = (): string => cluster.states(shards).get('0')!.state;
    const nodes: string[] = [];
    while (nodes.length < kills) {
      // A requeued job waits two minutes unless its start time is changed.
      if (state() === 'PENDING')
        spawnSync(
          'scontrol',
          ['update', `JobId=${task}`, 'StartTime=now', `ExcNodeList=${nodes.at(-1) ?? ''}`],
          {
            env: cluster.env,
          },
        );
      if (state() === 'COMPLETED') break;
      if (state() !== 'RUNNING') {
        await sleep(300);
        continue;
      }
      const { node } = cluster.states(shards).get('0')!;
      await sleep(Math.random() * 7000);
      spawnSync('scancel', ['--signal=KILL', '--batch', task], { env: cluster.env });
      while (!['FAILED', 'COMPLETED'].includes(state())) await sleep(200);
      if (state() === 'COMPLETED') break;
      nodes.push(node);
      // Slurm cannot requeue a job within a second of its start.
      await sleep(1500);
      cluster.run('scontrol', ['requeue', task]);
      await sleep(1500);
    }
    while (state() !== 'COMPLETED') {
      assert.ok(!/FAILED|CANCELLED/.test(state()), state());
      spawnSync('scontrol', ['update', `JobId=${task}`, 'StartTime=now'], { env: cluster.env });
      await sleep(1000);
    }
    // Slurm never starts the merge job, because the task failed before it was requeued.
    captious(['merge', out]);
    sameFiles(out, single);
    const resumed = resumesIn(out);
    console.log(`    (killed ${nodes.length} times on ${nodes.join(', ')}; resumed ${resumed} times)`);
    assert.ok(nodes.length >= Math.min(3, kills) && new Set(nodes).size > 1, nodes.join());
    assert.ok(resumed > 0);
  });

  it('a preempted shard is requeued and leaves the same bytes', async () => {
    const [single, out] = ['single', 'shards'].map((name) => join(cluster.folder, `${name} preempted`));
    const args = asked(captions, 'lgip', '1000');
    captious(['audit', ...args, `--out=${single}`]);
    const [shards, merge] = submit(args, out, 2);
    // Preempts the shard after its checkpoint has results.
    const journals = (): string[] =>
      (existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : []).filter((name) =>
        /shard-[^/]+\/\.journal-/.test(name),
      );
    const hasBegun = (): boolean =>
      journals().some((name) => readFileSync(join(out, name), 'utf8').split('\n').length > 2);
    while (!hasBegun()) await sleep(50);
    cluster.run('sbatch', [
      '--partition=high',
      '--nodes=3',
      '--exclusive',
      '--output=/dev/null',
      '--wrap=sleep 1',
    ]);
    for (;;) {
      const states = [...cluster.states(shards).entries()];
      if (states.every(([, { state }]) => state === 'COMPLETED')) break;
      for (const [task, { state }] of states)
        if (state === 'PENDING')
          spawnSync('scontrol', ['update', `JobId=${shards}_${task}`, 'StartTime=now'], { env: cluster.env });
      await sleep(500);
    }
    const restarts = [0, 1].map((task) =>
      Number(/Restarts=(\d+)/.exec(cluster.run('scontrol', ['show', 'job', `${shards}_${task}`]))?.[1]),
    );
    const resumed = resumesIn(out);
    console.log(`    (restarted ${restarts.join(' and ')} times; resumed ${resumed} times)`);
    assert.ok(
      restarts.some((times) => times > 0),
      'Slurm preempted no shard.',
    );
    assert.ok(resumed > 0);
    await finished(merge);
    sameFiles(out, single);
  });
});
