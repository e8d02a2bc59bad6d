import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRequest } from '../../../src/audit/request';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../src/base/errors';
import { needsPython } from '../../unit/evaluator/pythonFixtures';

const code = `import importlib, time
class Evaluator:
    def embed_texts(self, texts):
        time.sleep(0.01)
        late = any("late" in text for text in texts)
        f = importlib.import_module("hel" + "per").F if late else 0.0
        return [[float(len(text)), 1.0 + len(text) % 7 * (f if "late" in text else 1.0)] for text in texts]
    def info(self): return {"weights": [], "batch": 16}
`;

describe('an audit with an evaluator that imports a file late', function () {
  needsPython(this);
  this.timeout(120_000);
  let folder: string;
  let dataset: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-late-'));
    writeFileSync(join(folder, 'm.py'), code);
    dataset = join(folder, 'data.jsonl');
    const line = (i: number): object => {
      const caption = `${i < 200 ? 'early' : 'late'} ${'a'.repeat(i % 40)} ${i}`;
      return { image: `${i}.jpg`, caption, caption2: `${caption} b`, negative: `${caption} no` };
    };
    writeFileSync(dataset, Array.from({ length: 900 }, (_, i) => JSON.stringify(line(i))).join('\n'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const helper = (value: number): void => writeFileSync(join(folder, 'helper.py'), `F = ${value}\n`);
  const request = (out: string, changes: Partial<AuditRequest> = {}): AuditRequest => ({
    ...{ dataset, probes: ['visla'], evaluators: [`python:${folder}/m.py`] },
    ...{ out: join(folder, out), home: join(folder, `home of ${out}`), consent: () => Promise.resolve(true) },
    ...{ signal: new AbortController().signal, ...changes },
  });
  const rows = (out: string): string => {
    const name = readdirSync(join(folder, out)).find((one) => one.endsWith('.rows.jsonl'))!;
    return readFileSync(join(folder, out, name), 'utf8');
  };

  it('mixes no rows of its earlier version if it is stopped, the file changes, and it resumes', async () => {
    helper(2);
    const controller = new AbortController();
    const onEvent: AuditRequest['onEvent'] = (event) => {
      if (event.type === 'progress' && event.progress.examples >= 400) controller.abort();
    };
    await assert.rejects(
      runAudit(request('stopped', { signal: controller.signal, onEvent })),
      (error) => error instanceof CaptiousError && error.kind === 'interrupted',
    );
    helper(5);
    await runAudit(request('stopped'));
    await runAudit(request('whole'));
    assert.equal(rows('stopped'), rows('whole'));
  });

  it('is not merged from shards with two versions, and a complete shard is measured again', async () => {
    const shard = async (index: number): Promise<string> =>
      (await runShard({ ...request('shards'), shard: { index, count: 2 } })).folder;
    helper(2);
    const folders = [await shard(1)];
    helper(5);
    folders.push(await shard(2));
    const merged = () => mergeShards({ ...request('merged'), out: join(folder, 'merged'), folders });
    const error = await merged().then(
      () => assert.fail('merged'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof CaptiousError);
    assert.match(error.describe(), /the SHA-256 of \S*helper\.py is/);
    assert.equal(await shard(1), folders[0]);
    await merged();
  });
});
