import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { runShard } from '../../../../src/audit/shard/runShard';
import type { Outcome } from '../../../../src/base/outcome';
import type { Report } from '../../../../src/report/report';
import { FakeEvaluator } from '../../bench/fakeEvaluator';

/** A fake evaluator in which the last digits of an embedding depend on its batch, as in PyTorch. */
class Batched extends FakeEvaluator {
  constructor(readonly fixedBatches: { texts: number; images: number }) {
    super({ info: { kind: 'text-encoder', scores: ['text-text'] } });
  }

  override async embedTexts(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Outcome<Float32Array>[]> {
    const outcomes = await super.embedTexts(texts, signal);
    const noise = 1 + 1e-6 * texts.reduce((sum, text) => sum + text.length, 0);
    return outcomes.map((outcome) =>
      outcome.ok ? { ok: true, value: outcome.value.map((x, i) => (i % 2 === 0 ? x * noise : x)) } : outcome,
    );
  }
}

describe('shards of an evaluator with fixed batches', () => {
  let folder: string;
  const { signal } = new AbortController();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-batches-'));
    const triplet = (i: number): string =>
      JSON.stringify({
        caption: `a red bus by house ${i}`,
        caption2: `by house ${i} there is a red bus${' and a dog'.repeat(i % 4)}`,
        negative: `a blue bus by house ${i}`,
      });
    await writeFile(
      join(folder, 'triplets.jsonl'),
      Array.from({ length: 40 }, (_, i) => triplet(i)).join('\n'),
    );
  });
  after(() => rm(folder, { recursive: true }));

  /** Runs and merges `count` shards; 0 means a run without shards. */
  async function ran(out: string, size: number, count: number): Promise<{ text: string; notices: string[] }> {
    const request = {
      ...{ dataset: join(folder, 'triplets.jsonl'), probes: ['visla'], signal },
      ...{ home: join(folder, `home of ${out}`), out: join(folder, out) },
    };
    const evaluators = (): FakeEvaluator[] => [new Batched({ texts: size, images: size })];
    const notices: string[] = [];
    if (count === 0) await runAudit({ ...request, evaluators: evaluators() });
    else {
      for (let index = 1; index <= count; index++)
        await runShard({ ...request, evaluators: evaluators(), shard: { index, count } });
      await mergeShards({
        ...{ folders: [request.out], out: request.out, home: request.home, signal },
        onEvent: (event) => {
          if (event.type === 'notice') notices.push(event.message);
        },
      });
    }
    return { text: await readFile(join(folder, out, 'visla.fake.report.json'), 'utf8'), notices };
  }
  const margin = (text: string): number =>
    (JSON.parse(text) as Report).metrics.find(({ id }) => id === 'visla.t2t.margin')!.value!;

  it('differ from the single run in the last digits only, and the merge says so', async () => {
    const single = await ran('single', 8, 0);
    const shards = await ran('shards', 8, 3);
    assert.notEqual(margin(shards.text), margin(single.text));
    assert.ok(Math.abs(margin(shards.text) - margin(single.text)) < 1e-3);
    assert.equal(shards.notices.length, 1);
    assert.match(shards.notices[0], /^Fake computes in batches, and 3 shards .* --batch 1\.$/);
  });

  it('have the same bits when they run again', async () => {
    assert.equal((await ran('again', 8, 3)).text, (await ran('shards', 8, 3)).text);
  });

  it('equal the single run to the bit with batches of one, or as one shard', async () => {
    const single = await ran('single of one', 1, 0);
    const shards = await ran('shards of one', 1, 3);
    assert.equal(shards.text, single.text);
    const whole = await ran('one shard', 8, 1);
    assert.equal(whole.text, (await ran('single again', 8, 0)).text);
    assert.deepEqual([...shards.notices, ...whole.notices], []);
  });
});
