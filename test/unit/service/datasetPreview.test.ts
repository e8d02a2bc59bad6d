import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetPreview } from '../../../src/service/datasetPreview';

describe('the preview of a dataset', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-preview-'))));
  after(() => rm(folder, { recursive: true }));

  /** The draws of each probe, for this many captions of 40 images. */
  async function drawsIn(captions: number, more: object = {}): Promise<Record<string, number | undefined>> {
    const lines = Array.from({ length: captions }, (_, i) => ({
      ...{
        image: `${i % 40}.jpg`,
        caption: `A red car stands near ${1000 + i} dogs. A man walks past two trees. It is dark.`,
      },
      ...more,
    }));
    const path = join(folder, 'captions.jsonl');
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const asked = { path, images: [], trusted: false };
    const preview = await datasetPreview(asked, {
      signal: new AbortController().signal,
      step: () => undefined,
    });
    return Object.fromEntries(preview!.probes.map(({ id, draws }) => [id, draws]));
  }

  it('estimates how many draws a run makes by default', async () => {
    const small = await drawsIn(900);
    assert.deepEqual([small.lgip, small.long, small.invariance], [5, 5, undefined]);
    const large = await drawsIn(1100);
    assert.deepEqual([large.lgip, large.long, large.invariance], [1, 1, undefined]);
  });
});
