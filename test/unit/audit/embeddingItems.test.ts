import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EmbeddingItems, embeddingItems } from '../../../src/audit/embeddingItems';
import { runAudit } from '../../../src/audit/run';
import { npyOf } from '../../../src/evaluator/embeddings/numpy';
import { openEvaluator } from '../../../src/evaluator/open';
import { textItemKey } from '../../../src/evaluator/wantKey';
import type { Report } from '../../../src/report/report';

const clip = resolve('test/fixtures/models/clip');

describe('the items that probes want embedded', function () {
  this.timeout(120_000);
  const { signal } = new AbortController();
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-items-'))));
  after(() => rm(folder, { recursive: true }));

  const request = () => ({
    dataset: resolve('samples/captions.json'),
    probes: ['rococo', 'prsm', 'lgip'],
    options: { rococo: { captions: 'same-concept', images: 'mix-0.9', imageSeeds: '1' } },
    limit: 4,
    home: join(folder, 'home'),
    signal,
  });

  async function reports(evaluator: string, dataset = request().dataset): Promise<Report[]> {
    const out = await mkdtemp(join(folder, 'out-'));
    const written = await runAudit({ ...request(), dataset, evaluators: [evaluator], out });
    return written.map(({ report }) => report);
  }

  /** Saves the embeddings that `listed` lacks, taken from `full`. Returns the path of the evaluator file for them. */
  async function save(
    name: string,
    listed: EmbeddingItems,
    full: EmbeddingItems,
    more = {},
  ): Promise<string> {
    const texts = [...listed.texts].filter(([, row]) => row === undefined).map(([text]) => text);
    const images = [...listed.images].filter(([, { row }]) => row === undefined).map(([key]) => key);
    const said: Record<string, string> = { kind: 'embeddings', ...more };
    const put = async (side: string, ids: unknown[], rows: (Float32Array | undefined)[]) => {
      if (ids.length === 0) return;
      said[`${side}s`] = `./${name}.${side}.npy`;
      said[`${side}Ids`] = `./${name}.${side}.json`;
      await writeFile(
        join(folder, `${name}.${side}.npy`),
        Buffer.concat([...npyOf(rows.map((row) => row!))]),
      );
      await writeFile(join(folder, `${name}.${side}.json`), JSON.stringify(ids));
    };
    await put(
      'text',
      texts.map((text) => ({ key: textItemKey(text) })),
      texts.map((text) => full.texts.get(text)),
    );
    await put(
      'image',
      images.map((key) => ({ key })),
      images.map((key) => full.images.get(key)!.row),
    );
    const path = join(folder, `${name}.evaluator.json`);
    await writeFile(path, JSON.stringify(said));
    return path;
  }

  it("give the encoder's metrics in two rounds, to the bit, with no items missing", async () => {
    const encoder = await openEvaluator(clip, { home: join(folder, 'home') });
    const full = await embeddingItems(request(), encoder);
    await encoder.close();
    const first = await embeddingItems(request());
    for (const text of first.texts.keys()) assert.ok(full.texts.has(text), text);
    assert.deepEqual(new Set(first.images.keys()), new Set(full.images.keys()));
    const one = await openEvaluator(await save('one', first, full), { home: join(folder, 'home') });
    const second = await embeddingItems(request(), one);
    const missing = [...second.texts].filter(([, row]) => row === undefined);
    assert.ok(missing.length > 0, 'captions that are made by embeddings');
    const path = await save('two', second, full, { fallback: './one.evaluator.json' });
    const two = await openEvaluator(path, { home: join(folder, 'home') });
    const third = await embeddingItems(request(), two);
    assert.ok([...third.texts.values()].every((row) => row !== undefined));
    const [direct, read] = [await reports(clip), await reports(path)];
    for (const [i, report] of direct.entries()) {
      assert.ok(report.dataset.examples > 0);
      assert.deepEqual(read[i].metrics, report.metrics, report.probe);
      assert.equal(read[i].rowsSha256, report.rowsSha256);
    }
  });

  it('need no image files for embeddings found by name', async () => {
    const dataset = join(folder, 'alone.json');
    await cp(request().dataset, dataset);
    const [rococo, prsm, lgip] = await reports(join(folder, 'two.evaluator.json'), dataset);
    const [, beside] = await reports(join(folder, 'two.evaluator.json'));
    assert.deepEqual(prsm.metrics, beside.metrics);
    assert.deepEqual([rococo.dataset.examples, lgip.dataset.skipped], [4, 0]);
    await assert.doesNotReject(reports(join(folder, 'one.evaluator.json'), dataset));
  });
});
