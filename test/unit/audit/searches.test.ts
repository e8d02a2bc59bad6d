import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../src/audit/request';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../src/base/errors';
import type { ExploitRow } from '../../../src/probe/exploit/row';
import { metricOf } from '../../../src/probe/metric';
import type { Report } from '../../../src/report/report';
import { FakeEvaluator } from '../bench/fakeEvaluator';

const images = resolve('test/fixtures/models/pictures');
const count = 80;
const animals = ['dog', 'cat', 'horse', 'cow'];

describe('searches of an audit', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-searches-'));
    const [image] = (await readdir(images)).filter((name) => /\.png$/.test(name));
    const lines = Array.from({ length: count }, (_, i) => {
      const caption = `There is a ${animals[i % 4]} that is standing in front of the house with number ${i}.`;
      return JSON.stringify({ image, caption });
    });
    await writeFile(join(folder, 'captions.jsonl'), lines.join('\n'));
  });
  after(() => rm(folder, { recursive: true }));

  const requestOf = (out: string, changes: Partial<AuditRequest> = {}): AuditRequest => ({
    ...{
      dataset: join(folder, 'captions.jsonl'),
      images: [images],
      probes: ['exploit'],
      evaluators: [new FakeEvaluator()],
    },
    ...{ home: join(folder, `home of ${out}`), out: join(folder, out), signal: new AbortController().signal },
    options: {
      exploit: { families: 'shout', controls: 'false', universal: '0', search: '6', injection: 'order' },
    },
    ...changes,
  });
  const files = async (out: string): Promise<Record<string, string>> => {
    const names = (await readdir(join(folder, out))).filter((name) =>
      /\.(report\.json|rows\.jsonl)$/.test(name),
    );
    const texts = names.sort().map(async (name) => [name, await readFile(join(folder, out, name), 'utf8')]);
    return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
  };

  it('are the same in one run, in small batches, in shards and after an interruption', async () => {
    await runAudit(requestOf('whole'));
    const whole = await files('whole');
    assert.equal(Object.keys(whole).length, 2);
    const [report, text] = ['report.json', 'rows.jsonl'].map(
      (end) => whole[Object.keys(whole).find((name) => name.endsWith(end))!],
    );
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ExploitRow);
    assert.equal(rows.length, count);
    assert.ok(rows.every(({ search }) => search?.queries === 6));
    const raised = rows.filter(({ search }) => search!.path.length > 0).length;
    assert.ok(raised > count / 2);
    const { metrics } = JSON.parse(report) as Report;
    assert.equal(metricOf(metrics, 'exploit.search.rate@6')?.value, raised / count);
    assert.equal(metricOf(metrics, 'exploit.injection.order')?.n, count);

    await runAudit(requestOf('batches', { batchSize: 3 }));
    assert.deepEqual(await files('batches'), whole);

    for (const index of [2, 3, 1]) await runShard({ ...requestOf('parts'), shard: { index, count: 3 } });
    const { signal, home } = requestOf('parts');
    await mergeShards({ folders: [join(folder, 'parts')], out: join(folder, 'merged'), home, signal });
    assert.deepEqual(await files('merged'), whole);

    const controller = new AbortController();
    const stopped = runAudit(
      requestOf('stopped', {
        ...{ signal: controller.signal, batchSize: 16 },
        onEvent: (event) => {
          if (event.type === 'partialMetrics') controller.abort();
        },
      }),
    );
    await assert.rejects(stopped, (error) => error instanceof CaptiousError && error.kind === 'interrupted');
    assert.deepEqual(await files('stopped'), {});
    // Without the store of the first run, the edits before the last mark would have to be scored again.
    let said = '';
    const evaluator = new FakeEvaluator();
    await runAudit(
      requestOf('stopped', {
        ...{ evaluators: [evaluator], home: join(folder, 'another home') },
        onEvent: (event) => {
          if (event.type === 'notice') said += event.message;
        },
      }),
    );
    assert.deepEqual(await files('stopped'), whole);
    const taken = Number(/resumes after (\d+) examples/.exec(said)?.[1]);
    assert.ok(taken > 0, said);
    const scored = new Set(evaluator.embedded);
    const areScored = rows.map(({ edits }) => edits.map(({ text: own }) => scored.has(own)));
    assert.ok(areScored.slice(0, taken).every((own) => own.length > 0 && !own.includes(true)));
    assert.ok(areScored.slice(taken).every((own) => !own.includes(false)));
  });
});
