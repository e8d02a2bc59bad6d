import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestName } from '../../../../src/audit/shard/manifest';
import { submittedRun } from '../../../../src/audit/shard/progress';
import { submissionName, writeSubmission } from '../../../../src/audit/shard/submission';
import { CaptiousError } from '../../../../src/base/errors';
import { saying } from '../../../sentence';

const good = {
  schema: 'captious/submission@1' as const,
  engine: 'slurm' as const,
  dataset: '/data/captions.json',
  shards: 3,
  probes: ['lgip', 'visla'],
  groups: [['clip'], ['siglip']],
  jobs: ['7', '8'],
};

describe('a submission', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-submission-'));
    path = join(folder, submissionName);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const complete = (name: string): void => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, manifestName), '{}');
  };
  const report = (name: string, seconds: number): void => {
    const at = join(folder, `${name}.report.json`);
    writeFileSync(at, '{}');
    utimesSync(at, seconds, seconds);
  };
  const refused = (file: unknown, message: RegExp): Promise<void> => {
    writeFileSync(path, JSON.stringify(file));
    return assert.rejects(
      submittedRun(path),
      (error) => error instanceof CaptiousError && error.kind === 'input' && message.test(error.describe()),
    );
  };

  it('counts the complete shards of all evaluators, and its own reports', async () => {
    await writeSubmission(folder, good);
    utimesSync(path, 1000, 1000);
    complete('shard-0123abcd-1-of-3');
    complete('shard-0123abcd-3-of-3');
    complete('shard-4567abcd-1-of-3');
    // These do not count: an incomplete shard, a shard of a run with 8 shards, and a report of an earlier merge.
    mkdirSync(join(folder, 'shard-4567abcd-2-of-3'));
    complete('shard-89ababcd-1-of-8');
    report('lgip.clip', 999);
    report('lgip.siglip', 1001);
    const run = await submittedRun(path);
    assert.equal(run?.shards, 6);
    assert.equal(run.done, 3);
    assert.deepEqual(run.evaluators, ['clip', 'siglip']);
    assert.deepEqual(run.reports, [join(folder, 'lgip.siglip.report.json')]);
    assert.equal(run.isMerged, false);
    assert.equal(run.submittedAt, 1_000_000);
  });

  it('is merged with a report of each probe and evaluator', async () => {
    await writeSubmission(folder, good);
    utimesSync(path, 1000, 1000);
    for (const probe of good.probes)
      for (const [evaluator] of good.groups) report(`${probe}.${evaluator}`, 2000);
    const run = await submittedRun(path);
    assert.equal(run?.isMerged, true);
    assert.equal(run.changedAt, 2_000_000);
  });

  it('does not count more shards than it has', async () => {
    await writeSubmission(folder, { ...good, shards: 1, groups: [['clip']] });
    complete('shard-0123abcd-1-of-1');
    complete('shard-4567abcd-1-of-1');
    assert.equal((await submittedRun(path))?.done, 1);
  });

  it('ignores files of other programs and missing files', async () => {
    assert.equal(await submittedRun(path), null);
    for (const text of [
      '',
      'id,target\n1,0',
      '[]',
      'null',
      '{"schema":1}',
      '{"schema":"other/file@1"}',
      '[[[[',
    ])
      assert.equal(await submittedRun((writeFileSync(path, text), path)), null, text);
  });

  it('is not a link, a folder or a large file', async () => {
    const elsewhere = join(folder, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify(good));
    symlinkSync(elsewhere, path);
    assert.equal(await submittedRun(path), null);
    rmSync(path);
    mkdirSync(path);
    assert.equal(await submittedRun(path), null);
    rmSync(path, { recursive: true });
    writeFileSync(path, JSON.stringify({ ...good, jobs: ['7'.repeat(2 << 20)] }));
    assert.equal(await submittedRun(path), null);
    writeFileSync(path, `{"schema":"captious/submission@1","a":${'['.repeat(500_000)}`);
    assert.equal(await submittedRun(path), null);
  });

  it('takes links for neither shards nor reports', async () => {
    await writeSubmission(folder, good);
    mkdirSync(join(folder, 'shard-0123abcd-1-of-3'));
    symlinkSync(path, join(folder, 'shard-0123abcd-1-of-3', manifestName));
    symlinkSync(path, join(folder, 'lgip.clip.report.json'));
    const run = await submittedRun(path);
    assert.deepEqual([run?.done, run?.reports], [0, []]);
  });

  it('with wrong values is rejected, with their place', async () => {
    await refused({ ...good, shards: '3' }, /shards is not a number/);
    await refused({ ...good, shards: 1e9 }, /shards is not a number of at most 100000/);
    await refused({ ...good, shards: 0 }, /shards is not a number of at least 1/);
    await refused({ ...good, groups: [] }, /groups is not a list with 1 or more entries/);
    await refused({ ...good, groups: [['clip'], [{}]] }, /groups\[1\]\[0\] is not a text/);
    await refused(
      { ...good, probes: Array(2000).fill('lgip') },
      /probes is not a list with at most 1000 entries/,
    );
    await refused({ ...good, engine: 'bash' }, /engine is not one of slurm/);
    await refused({ ...good, dataset: undefined }, /dataset is not a text/);
    await refused({ ...good, schema: 'captious/submission@2' }, saying('shard.submitAgain'));
  });
});
