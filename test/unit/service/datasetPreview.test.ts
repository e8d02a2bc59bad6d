import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../../src/base/say';
import { probeIds } from '../../../src/probe/list';
import { datasetPreview } from '../../../src/service/datasetPreview';
import { naturalProbe } from '../../../src/service/naturalProbe';

describe('the preview of a dataset', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-preview-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function previewOf(row: object, images: string[]) {
    const path = join(folder, 'data.jsonl');
    await writeFile(path, `${JSON.stringify(row)}\n`);
    const preview = await datasetPreview(
      { path, images, trusted: true },
      { signal: new AbortController().signal, step: () => undefined },
    );
    return preview!;
  }
  const row = { image: '000000051598.jpg', caption: 'a man rides a red bicycle' };

  it('names every probe once: those that can use the file, and the others with the reason', async () => {
    const { probes, others } = await previewOf(row, []);
    assert.deepEqual([...probes, ...others].map(({ id }) => id).sort(), [...probeIds].sort());
    assert.ok(others.some(({ id }) => id === 'winoground'));
    // Captions that nobody rated have nothing to compare with people.
    assert.deepEqual(others.find(({ id }) => id === 'human')?.why, say('human.nothingToJudge'));
    for (const { why } of others) assert.ok(typeof why !== 'string' && why.code.length > 0);
  });

  it('says why the check of a benchmark takes none of the examples, and nothing of other files', async () => {
    const { unchecked } = await previewOf(row, []);
    assert.deepEqual(unchecked, say('choice.notChoice'));
    const pair = { image: row.image, caption_a: row.caption, caption_b: 'a horse', preferred: 'a' };
    assert.deepEqual((await previewOf(pair, [])).unchecked, say('choice.notChoice'));
    assert.equal((await previewOf({ ...row, negative: 'a horse rides a man' }, [])).unchecked, undefined);
  });

  it('counts captions, whether the format has one or several for an image', async () => {
    const { captions, examples } = await previewOf(row, []);
    assert.deepEqual([captions, examples], [1, 1]);
    const path = join(folder, 'coco.json');
    const images = [{ id: 1, file_name: row.image }];
    const annotations = ['a man', 'a red bicycle', 'a ride'].map((caption, id) => ({
      id,
      image_id: 1,
      caption,
    }));
    await writeFile(path, JSON.stringify({ images, annotations }));
    const several = await datasetPreview(
      { path, images: [], trusted: true },
      { signal: new AbortController().signal, step: () => undefined },
    );
    assert.deepEqual([several?.captions, several?.examples], [3, 1]);
  });

  it('tells a probe without images from one whose images are there', async () => {
    const lgip = ({ probes }: Awaited<ReturnType<typeof previewOf>>) =>
      probes.find(({ id }) => id === 'lgip')?.ready;
    const there = await previewOf({ ...row, image: 'photo.jpg' }, []);
    assert.equal(lgip(there), false);
    assert.notEqual(naturalProbe(there).id, 'lgip');
    await writeFile(join(folder, 'photo.jpg'), '');
    assert.equal(lgip(await previewOf({ ...row, image: 'photo.jpg' }, [])), true);
  });

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
