import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDataset } from '../../../src/dataset/inspect';
import { looksLikeDataset } from '../../../src/dataset/open';
import { readAll, scratchFolder } from './support';

const fixtures = join(__dirname, '../../fixtures/dataset');
const scratch = scratchFolder();

describe('Parquet', () => {
  it('pictures inside, lists of captions, several row groups', async () => {
    const { dataset, examples, problems } = await readAll(join(fixtures, 'captions.parquet'));
    assert.equal(dataset.form, 'captions');
    assert.deepEqual(dataset.columns, ['image', 'caption', 'cocoid', 'split']);
    assert.deepEqual(problems, []);
    assert.equal(examples.length, 7);
    examples.forEach(({ images, captions, attributes, row, place }, i) => {
      assert.deepEqual(Buffer.from(images[0].bytes!.subarray(1, 4)).toString(), 'PNG');
      assert.equal(images[0].name, i === 3 ? 'row 3' : `${String(i).padStart(12, '0')}.png`);
      assert.deepEqual(
        captions.map(({ text }) => text),
        [`Caption ${i}.`, `Another of ${i}, caf\u00e9 \u{1f600}.`],
      );
      assert.deepEqual(attributes, { cocoid: 100 + i, split: 'val' });
      assert.deepEqual([row, place], [i, undefined]);
    });
    assert.notDeepEqual(examples[0].images[0].bytes, examples[1].images[0].bytes);
  });

  it('two pictures a row, compressed with zstd, with a page index', async () => {
    const { dataset, examples } = await readAll(join(fixtures, 'winoground.parquet'));
    assert.deepEqual([dataset.format, dataset.form], ['winoground', 'crossed']);
    assert.deepEqual(
      examples.map(({ id, images, captions }) => [id, images.length, captions.map(({ text }) => text)]),
      [
        ['0', 2, ['a b', 'b a']],
        ['1', 2, ['c d', 'd c']],
      ],
    );
  });

  it('paths instead of pictures; a caption that is null is named and its row left out', async () => {
    const { examples, problems } = await readAll(join(fixtures, 'paths.parquet'));
    assert.deepEqual(
      examples.map(({ row }) => row),
      [0, 1, 3, 4, 5, 6],
    );
    assert.deepEqual([problems[0].code, problems[0].row], ['missing-field', 2]);
    assert.equal(examples[1].attributes.score, 0.5);
  });

  it('is inspected and recognised like the others', async () => {
    const path = join(fixtures, 'captions.parquet');
    const { examples, captions, images } = await inspectDataset(path);
    assert.deepEqual([examples, captions, images.distinct, images.inside], [7, 14, 7, 7]);
    assert.equal(await looksLikeDataset(path), 'parquet');
  });

  it('a damaged file is an error that names it, wherever the damage is', async () => {
    const whole = readFileSync(join(fixtures, 'captions.parquet'));
    const cut = scratch.write('cut.parquet', whole.subarray(0, whole.length - 20));
    await assert.rejects(readAll(cut), { name: 'CaptiousError', at: cut });
    for (let at = 4; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xff, at, at + 16);
      try {
        await readAll(scratch.write('damaged.parquet', damaged));
      } catch (error) {
        assert.equal((error as Error).name, 'CaptiousError', String((error as Error).stack));
      }
    }
  });
});
