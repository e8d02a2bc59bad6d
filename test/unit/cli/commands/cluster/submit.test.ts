import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseCommand } from '../../../../../src/cli/arguments';
import { auditCommand } from '../../../../../src/cli/commands/audit';
import { planOf } from '../../../../../src/cli/commands/cluster/plan';
import { slurmJobs } from '../../../../../src/cli/commands/cluster/slurm';
import { submitCommand } from '../../../../../src/cli/commands/cluster/submit';
import { CaptiousError } from '../../../../../src/base/errors';
import { placed } from '../../../../../src/dataset/images/imagePlaces';

const hostile = [
  '$(touch hacked)',
  '`touch hacked`',
  "a'; touch hacked #",
  'two\nlines "x"',
  '--out=/',
  '日本',
  'a\\',
];

describe('captious submit', () => {
  const call = (args: readonly string[]) => ({
    ...parseCommand(submitCommand, [...args]),
    signal: new AbortController().signal,
  });
  const usual = ['--probe=lgip', '--evaluator=starter', '--shards=2', '--out=reports'];

  it('quotes every name in a script, so no name runs as code', () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-submit-'));
    try {
      // A script that prints its arguments instead of running Captious.
      const echo = join(folder, 'echo.js');
      writeFileSync(echo, 'console.log(JSON.stringify(process.argv.slice(2)))');
      for (const name of hostile) {
        const own = call([...usual, `--images=${name}`, `--set=lgip.asInPaper=${name}`, '--', name]);
        const { shards, merge } = slurmJobs(own, planOf(own), [process.execPath, echo]);
        writeFileSync(join(folder, 'job.sh'), shards.script);
        const env = { ...process.env, SLURM_ARRAY_TASK_ID: '1' };
        const ran = spawnSync('bash', ['job.sh'], { cwd: folder, env, encoding: 'utf8' });
        assert.equal(ran.status, 0, ran.stderr);
        const { positionals, values } = parseCommand(
          auditCommand,
          (JSON.parse(ran.stdout) as string[]).slice(1),
        );
        assert.deepEqual(positionals, [resolve(name)]);
        // A name with "=" maps names of images to a folder.
        assert.deepEqual(values.images, [placed(name)]);
        assert.deepEqual(values.set, [`lgip.asInPaper=${name}`]);
        assert.equal(values.shard, '2/2');
        assert.ok(merge.args.every((arg) => arg.startsWith('--')));
        assert.ok(!existsSync(join(folder, 'hacked')));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('runs Captious and evaluators from the environment in --venv', () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious submit ü-'));
    try {
      const bin = join(folder, 'env', 'bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'activate'), 'export ACTIVATED=1\n');
      writeFileSync(join(bin, 'python'), '');
      const say = '#!/bin/sh\necho "$0 $ACTIVATED $CAPTIOUS_PYTHON $@"\n';
      const jobs = () => {
        const own = call([...usual, `--venv=${join(folder, 'env')}`, 'data.json']);
        return slurmJobs(own, planOf(own), ['/bin/echo', 'own']);
      };
      const ran = (script: string): string => {
        writeFileSync(join(folder, 'job.sh'), script);
        const env = { ...process.env, SLURM_ARRAY_TASK_ID: '0', CAPTIOUS_PYTHON: '/elsewhere/python' };
        return spawnSync('bash', ['job.sh'], { cwd: folder, env, encoding: 'utf8' }).stdout;
      };
      assert.ok(ran(jobs().shards.script).startsWith('own audit '));
      writeFileSync(join(bin, 'captious'), say, { mode: 0o755 });
      const { shards, merge } = jobs();
      const words = `${join(bin, 'captious')} 1 ${join(bin, 'python')}`;
      assert.ok(ran(shards.script).startsWith(`${words} audit --shard=1/2 `));
      assert.ok(ran(merge.script).startsWith(`${words} merge `));
      // An environment of conda has no script to activate it.
      rmSync(join(bin, 'activate'));
      writeFileSync(join(bin, 'captious'), '#!/bin/sh\ncommand -v captious\n', { mode: 0o755 });
      assert.equal(ran(jobs().merge.script), `${join(bin, 'captious')}\n`);
      rmSync(join(bin, 'python'));
      assert.throws(jobs, /this is not a Python environment/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the interpreter of the shell that submits in the script, if there is no --venv', () => {
    const before = process.env.CAPTIOUS_PYTHON;
    try {
      process.env.CAPTIOUS_PYTHON = '/an env/bin/python';
      const own = call([...usual, 'data.json']);
      const { shards, merge } = slurmJobs(own, planOf(own), ['captious']);
      for (const { script } of [shards, merge])
        assert.ok(script.split('\n').includes("export CAPTIOUS_PYTHON='/an env/bin/python'"));
    } finally {
      if (before === undefined) delete process.env.CAPTIOUS_PYTHON;
      else process.env.CAPTIOUS_PYTHON = before;
    }
  });

  it('has the options of the job in the script, too, so that an edited script can be submitted', () => {
    const more = [
      '--qos=long',
      '--constraint=a100|h100',
      '--container=./my bundle',
      '--time=2:00:00',
      '--gpus=a100:2',
    ];
    const own = call([...usual, ...more, '--out=a "b"\\c', 'data.json']);
    const { shards, merge } = slurmJobs(own, planOf(own), ['captious']);
    for (const { script, args } of [shards, merge]) {
      const lines = script.split('\n').filter((line) => line.startsWith('#SBATCH '));
      const said = lines.map((line) =>
        line
          .slice('#SBATCH '.length)
          .replace(/"(.*)"$/, (_, text: string) => text.replaceAll(/\\(.)/g, '$1')),
      );
      assert.deepEqual([...said, '--parsable'], args);
      assert.ok(lines.includes('#SBATCH --qos=long'));
      assert.ok(lines.includes('#SBATCH --constraint="a100|h100"'));
      assert.ok(lines.includes(`#SBATCH --container="${resolve('my bundle')}"`));
    }
    const broken = call([...usual, '--out=a\nb', 'data.json']);
    const { script } = slurmJobs(broken, planOf(broken), ['captious']).shards;
    assert.ok(!script.split('\n').some((line) => line.startsWith('#SBATCH --output')));
  });

  it('refuses values that a scheduler cannot read', () => {
    for (const option of [
      '--time=1h; rm',
      '--memory=8 GB',
      '--gpus=all',
      '--partition=a b',
      '--qos=a;b',
      '--constraint=$(x)',
      '--module=$(x)',
    ]) {
      const own = call([...usual, option, 'data.json']);
      assert.throws(
        () => slurmJobs(own, planOf(own), ['captious']),
        (error) =>
          error instanceof CaptiousError &&
          /the value does not have|not a valid module name/.test(error.message),
      );
    }
  });

  it('runs evaluators in separate tasks, or in one task if they choose words together', () => {
    const groups = (probe: string) =>
      planOf(call([`--probe=${probe}`, '--evaluator=a,b', '--shards=2', '--out=o', 'data.json'])).groups;
    assert.deepEqual(groups('lgip,visla'), [['a'], ['b']]);
    assert.deepEqual(groups('lgip,rococo'), [['a', 'b']]);
  });

  it('adds --yes only if it was given', () => {
    const audits = (more: readonly string[]) => planOf(call([...usual, ...more, 'data.json'])).audits.flat();
    assert.ok(!audits([]).includes('--yes'));
    assert.ok(audits(['--yes']).includes('--yes'));
  });
});
