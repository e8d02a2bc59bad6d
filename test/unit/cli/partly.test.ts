import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captious as run } from './captious';
import { saying } from '../../sentence';

/** COCO's annotations. */
interface Captions {
  images: { id: number; file_name: string }[];
  annotations: { image_id: number; caption: string }[];
}

describe('images found by less than their whole path are counted by', function () {
  this.timeout(120_000);
  let folder: string;
  let dataset: string;
  let captions: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-partly-'));
    const samples = JSON.parse(await readFile('samples/captions.json', 'utf8')) as Captions;
    const addressed = samples.images.map((image) => ({
      ...image,
      file_name: `http://h/v/${image.file_name}`,
    }));
    dataset = join(folder, 'data.json');
    await writeFile(dataset, JSON.stringify({ ...samples, images: addressed }));
    captions = join(folder, 'captions.json');
    const said = addressed.map(({ id, file_name: name }) => {
      const [first] = samples.annotations.filter(({ image_id: image }) => image === id);
      return [name, [first.caption]] as const;
    });
    await writeFile(captions, JSON.stringify(Object.fromEntries(said)));
  });
  after(() => rm(folder, { recursive: true }));

  const clip = 'test/fixtures/models/clip';
  const commands: Record<string, () => string[]> = {
    bench: () => ['bench', dataset, '--evaluator', clip, '--rounds', '1', '--limit', '4'],
    alter: () => [
      ...['alter', dataset, '--evaluator', clip, '--out', join(folder, 'altered'), '--limit', '4'],
      ...['--set', 'rococo.images=none'],
    ],
    repair: () => [
      ...['repair', dataset, '--evaluator', clip, '--out', join(folder, 'repaired'), '--probe', 'none'],
      ...['--rank', '2', '--epochs', '2'],
    ],
    metrics: () => ['metrics', captions, '--evaluator', `clipscore:${clip}`],
    embeddings: () => [
      'embeddings',
      dataset,
      '--probe',
      'lgip',
      '--limit',
      '4',
      '--out',
      join(folder, 'items'),
    ],
  };
  for (const [name, args] of Object.entries(commands))
    it(name, async () => {
      const { code, err } = await run(
        join(folder, 'home'),
        ...[...args(), '--images', 'samples/images'],
        ...(name === 'embeddings' ? [] : ['--json']),
      );
      assert.equal(code, 0, err);
      assert.match(err, saying('dataset.imagesPartlyMatched'));
      assert.match(err, /http:\/\/h\/v\/\S+/);
    });
});
