import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../src/base/errors';
import { lineUpReports } from '../../../src/report/lineUp';
import { readReport } from '../../../src/report/report';
import { FakeEvaluator } from '../bench/fakeEvaluator';
import { withOtherDraws } from './otherDraws';
import type { Matrix } from '../../../src/audit/matrix/cell';

describe('results of another version of the draws', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-draws-version-'));
  });
  after(() => rm(folder, { recursive: true }));

  const request = (out: string) => ({
    ...{ dataset: resolve('samples/captions.jsonl'), images: [resolve('samples/images')], probes: ['lgip'] },
    ...{ evaluators: [new FakeEvaluator()], home: join(folder, 'home'), out: join(folder, out), limit: 12 },
    signal: new AbortController().signal,
  });
  const shard = async (index: number, out: string) =>
    (await runShard({ ...request(out), shard: { index, count: 2 } })).folder;

  it('are not merged, neither with others nor alone', async () => {
    const own = [await shard(1, 'shards'), await shard(2, 'shards')];
    const others = await withOtherDraws(async () => [await shard(1, 'others'), await shard(2, 'others')]);
    const { signal } = request('');
    const merge = (folders: string[]) =>
      mergeShards({ folders, out: join(folder, 'merged'), home: join(folder, 'merging'), signal });
    for (const folders of [[own[0], others[1]], others])
      await assert.rejects(
        merge(folders),
        (error) => error instanceof CaptiousError && /versions\.draws is /.test(error.message),
      );
    assert.equal((await merge(own)).length, 1);
  });

  it('are no finished cell of an experiment', async () => {
    const finished = new Set<string>();
    let [asked, made] = [0, 0];
    const matrix: Matrix = {
      isDone: (_, key) => Promise.resolve(++asked > 0 && finished.has(key)),
      done: (_, { key }) => {
        finished.add(key);
        made++;
        return Promise.resolve();
      },
      failed: (_, error) => assert.fail(error),
    };
    const cell = () => runAudit({ ...request('cells'), matrix });
    await withOtherDraws(cell);
    await cell();
    assert.deepEqual([asked, made, finished.size], [2, 2, 2]);
    await cell();
    assert.deepEqual([asked, made], [3, 2]);
  });

  it('are named where reports are compared', async () => {
    const report = async (out: string) => readReport((await runAudit(request(out)))[0].path);
    const own = await report('own');
    const other = await withOtherDraws(() => report('other'));
    assert.deepEqual(lineUpReports([own, own]).differences, []);
    const { differences } = lineUpReports([own, other]);
    const draws = [own, other].map(({ versions }) => versions.draws);
    assert.deepEqual(differences, [say('report.differVersion', 'draws', ...draws)]);
  });
});
