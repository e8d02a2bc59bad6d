import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { manifestName } from '../../../../../src/audit/shard/manifest';
import { writeSubmission } from '../../../../../src/audit/shard/submission';
import { CaptiousError } from '../../../../../src/base/errors';
import { watch } from '../../../../../src/cli/commands/cluster/watch';

const path = process.env.PATH;

describe('captious submit --watch', () => {
  let folder: string;
  let out: string;
  let told: string[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-watch-'));
    out = join(folder, 'out');
    told = [];
    mkdirSync(out);
    process.env.PATH = `${folder}${delimiter}${path}`;
    const common = { dataset: 'data.json', shards: 2, probes: ['lgip'], groups: [['starter']] };
    await writeSubmission(out, {
      schema: 'captious/submission@1',
      engine: 'slurm',
      ...common,
      jobs: ['7', '8'],
    });
  });
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  /** Installs a fake `squeue` that runs these lines of shell. */
  function squeue(script: string): void {
    const file = join(folder, 'squeue');
    writeFileSync(file, `#!/bin/sh\ncd ${folder}\necho asked >>asked\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const timesAsked = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').length;

  function completeShards(): void {
    for (const shard of [1, 2]) {
      const at = join(out, `shard-0123abcd-${shard}-of-2`);
      mkdirSync(at);
      writeFileSync(join(at, manifestName), '{}');
    }
  }

  const watching = () => {
    const plan = { shards: 2, groups: [['starter']], probes: ['lgip'], out };
    const { signal } = new AbortController();
    return watch(plan, ['7', '8'], { signal, tell: (line) => told.push(line), everyMs: 1 });
  };
  const fails = (message: RegExp) =>
    assert.rejects(watching, (error) => error instanceof CaptiousError && message.test(error.message));

  it('waits until the jobs have ended, then names the reports', async () => {
    completeShards();
    squeue('[ $(wc -l <asked) -lt 4 ] && echo RUNNING || echo {} >out/data.lgip.report.json');
    assert.equal(await watching(), 0);
    assert.equal(timesAsked(), 4);
    assert.deepEqual(told, [`report: ${join(out, 'data.lgip.report.json')}`]);
  });

  it('fails if the jobs have ended and shards are missing', async () => {
    squeue('');
    await fails(/The jobs have ended, but 2 shards are incomplete/);
  });

  it('ignores the report of an earlier submission', async () => {
    completeShards();
    const report = join(out, 'data.lgip.report.json');
    writeFileSync(report, '{}');
    utimesSync(report, 1, 1);
    squeue('');
    await fails(/the merge wrote no reports/);
  });

  it('counts jobs that Slurm has forgotten as ended', async () => {
    squeue('echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1');
    await fails(/The jobs have ended/);
  });

  it('fails after five failures of squeue in a row, and not before', async () => {
    // Every third of the first nine calls succeeds.
    squeue(
      'n=$(wc -l <asked); [ $((n % 3)) = 0 ] && [ $n -lt 10 ] && echo RUNNING && exit; echo down >&2; exit 1',
    );
    await fails(/Slurm cannot list the unfinished jobs:[^]*down/);
    assert.equal(timesAsked(), 14);
  });
});
