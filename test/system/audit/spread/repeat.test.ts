import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { runShard } from '../../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid } from '../../../../src/base/say';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import type { Report } from '../../../../src/report/report';
import { FakeEvaluator } from '../../../unit/bench/fakeEvaluator';
import { needsPython, pythonFixtures } from '../../../unit/evaluator/pythonFixtures';

const images = resolve('test/fixtures/models/pictures');
const things = ['a red bus', 'two dogs', 'a man with a white hat', 'three cats on a table', 'a brown horse'];

const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;

type Change = (scores: number[], call: number) => number[];

/** Scores pairs by their content, and changes the scores of each call. */
function pairScorer(change: Change): FakeEvaluator {
  const made = new FakeEvaluator({ info: { kind: 'pair-scorer', scores: ['image-text'], id: 'planted' } });
  let calls = 0;
  made.scorePairs = (pairs) => {
    const scores = pairs.map(({ image, text }) => share(`${image.source.name} ${text}`));
    return Promise.resolve(change(scores, calls++).map((value) => ({ ok: true, value })));
  };
  return made;
}

const planted: Record<string, { change: Change; decides: string | undefined }> = {
  'the pair alone': { change: (scores) => scores, decides: undefined },
  'the pair and rounding': {
    change: (scores, call) => scores.map((s) => s + 1e-7 * (call % 3)),
    decides: undefined,
  },
  noise: {
    change: (scores, call) => scores.map((s, i) => s + 2e-3 * (share(`${call} ${i}`) - 0.5)),
    decides: 'chance',
  },
  'the number of calls': { change: (scores, call) => scores.map((s) => s + 0.01 * call), decides: 'chance' },
  'the size of the batch': {
    change: (scores) => scores.map((s) => s + 0.01 * scores.length),
    decides: 'batch',
  },
  'the mean of the batch': {
    change: (scores) => scores.map((s) => s - scores.reduce((a, b) => a + b) / scores.length),
    decides: 'batch',
  },
  'the place in the batch': { change: (scores) => scores.map((s, i) => s + 0.01 * i), decides: 'order' },
  'the pair before': {
    change: (scores) => scores.map((s, i) => s + 0.1 * (scores[i - 1] ?? 0)),
    decides: 'order',
  },
};

describe('the test of an evaluator before a run', function () {
  this.timeout(240_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-repeat-'));
    const imageFiles = (await readdir(images)).filter((name) => /\.(png|jpg)$/.test(name));
    const lines: string[] = [];
    for (let i = 0; i < 24; i++) {
      // Other bytes for each image, because the store knows images by their bytes.
      const bytes = await readFile(join(images, imageFiles[i % imageFiles.length]));
      await writeFile(join(folder, `photo${i}.png`), Buffer.concat([bytes, Buffer.from(`${i}`)]));
      lines.push(JSON.stringify({ image: `photo${i}.png`, caption: `${things[i % 5]} by house ${i}` }));
    }
    await writeFile(join(folder, 'captions.jsonl'), lines.join('\n'));
  });
  after(() => rm(folder, { recursive: true }));

  const request = (
    evaluator: Evaluator | string,
    out: string,
    more: Partial<AuditRequest> = {},
  ): AuditRequest => ({
    ...{ dataset: join(folder, 'captions.jsonl'), probes: ['lgip'], evaluators: [evaluator] },
    ...{ home: join(folder, `home of ${out}`), out: join(folder, out), signal: new AbortController().signal },
    ...more,
  });
  const audit = async (
    evaluator: Evaluator | string,
    out: string,
    more?: Partial<AuditRequest>,
  ): Promise<Report> => (await runAudit(request(evaluator, out, more)))[0].report;

  for (const [what, { change, decides }] of Object.entries(planted))
    it(`finds that a score depends on ${what}`, async () => {
      const report = await audit(pairScorer(change), what);
      assert.equal(report.repeat?.pairs, 48);
      assert.equal(report.repeat.decides, decides);
      const rules = report.claims.filter(
        ({ rule }) => findSaid(rule, 'spread.repeatRule')?.values[0] === '48',
      );
      assert.equal(rules.length, decides === undefined ? 0 : 1);
      if (decides !== undefined) assert.ok(report.repeat.relative! > 1e-3);
    });

  it('scores the pairs twice, although the store has the first scores, which it keeps', async () => {
    const counted = new Map<string, number>();
    const counting = () => {
      const made = pairScorer((scores) => scores);
      const score = made.scorePairs!;
      made.scorePairs = (pairs) => {
        for (const { image, text } of pairs) {
          const key = `${image.source.name} ${text}`;
          counted.set(key, (counted.get(key) ?? 0) + 1);
        }
        return score(pairs);
      };
      return made;
    };
    await audit(counting(), 'without', { spread: false });
    assert.ok([...counted.values()].every((times) => times === 1));
    const home = join(folder, 'home of without');
    await audit(counting(), 'with', { home });
    assert.equal([...counted.values()].filter((times) => times >= 2).length, 48);
    // A later run with the same pairs finds the scores in the store, and gets the same result.
    const before = [...counted.values()].reduce((a, b) => a + b);
    assert.equal((await audit(counting(), 'again', { home })).repeat?.pairs, 48);
    assert.equal(
      [...counted.values()].reduce((a, b) => a + b),
      before,
    );
  });

  for (const probe of ['lgip', 'prsm'])
    it(`is made once for all shards of ${probe}, and their merge equals the single run`, async () => {
      const dual = () => new FakeEvaluator();
      const single = await audit(dual(), `single ${probe}`, { probes: [probe] });
      const folders: string[] = [];
      for (const index of [3, 1, 2]) {
        const shard = { index, count: 3 };
        folders.push(
          (await runShard({ ...request(dual(), `shards ${probe}`, { probes: [probe] }), shard })).folder,
        );
      }
      const { home, signal } = request('', 'merge');
      const [{ report }] = await mergeShards({ folders, out: join(folder, `merged ${probe}`), home, signal });
      assert.ok(single.repeat !== undefined && single.repeat.pairs > 0);
      assert.equal(JSON.stringify(report), JSON.stringify(single));
    });

  it('is not made again by a run that resumes', async () => {
    const controller = new AbortController();
    const noisy = () => pairScorer((scores, call) => scores.map((s, i) => s + 0.01 * share(`${call} ${i}`)));
    await assert.rejects(
      audit(noisy(), 'stopped', {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'partialMetrics') controller.abort();
        },
      }),
      (error) => error instanceof CaptiousError && error.kind === 'interrupted',
    );
    const [journal] = (await readdir(join(folder, 'stopped'))).filter((name) => name.startsWith('.journal'));
    const marks = (await readFile(join(folder, 'stopped', journal), 'utf8')).trim().split('\n').slice(1);
    const found = (JSON.parse(marks[0].slice(9)) as { evaluatorRuns: { repeat: Report['repeat'] }[] })
      .evaluatorRuns[0];
    assert.equal(found.repeat?.decides, 'chance');
    // In another home folder, the store does not have the scores of the test.
    const resumed = await audit(noisy(), 'stopped', { home: join(folder, 'other home') });
    assert.deepEqual(resumed.repeat, found.repeat);
  });

  it('is off without mismatched pairs, and for judges', async () => {
    assert.equal(
      (
        await audit(
          pairScorer((scores) => scores),
          'off',
          { spread: false },
        )
      ).repeat,
      undefined,
    );
    const judge = new FakeEvaluator({ info: { kind: 'judge', scores: ['image-text'] } });
    assert.equal((await audit(judge, 'judge')).repeat, undefined);
  });

  describe('in Python', function () {
    needsPython(this);
    for (const [name, decides] of [
      ['Pairs', undefined],
      ['ByChance', 'chance'],
      ['ByBatch', 'batch'],
      ['ByPlace', 'order'],
    ] as const)
      it(`finds what decides about the scores of ${name}`, async () => {
        const report = await audit(`python:${join(pythonFixtures, 'hashing.py')}:${name}`, name);
        assert.equal(report.repeat?.decides, decides);
      });
  });
});
