import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { english } from '../../../src/base/english';
import { byIdsOf, readCaptions } from '../../../src/dataset/captionTable';
import { readAll, scratchFolder } from './support';
import { saying } from '../../sentence';

/** Two ids that are the same number in JavaScript. */
const [one, two] = ['9007199254740993', '9007199254740992'];

function cocoOf(quote: string): string {
  const [a, b] = [one, two].map((id) => `${quote}${id}${quote}`);
  return `{"images": [{"id": ${a}, "file_name": "a.jpg"}, {"id": ${b}, "file_name": "b.jpg"}],
    "annotations": [{"id": 1, "image_id": ${a}, "caption": "first"}, {"id": 2, "image_id": ${b}, "caption": "second"}]}`;
}

describe('ids above 2^53', () => {
  const { write } = scratchFolder();

  it('are refused as numbers in COCO files, instead of sharing captions', async () => {
    const annotation = `{"id": 3, "image_id": 5, "caption": "third"}`;
    const content = cocoOf('')
      .replace('"images": [', '"images": [{"id": 5, "file_name": "c.jpg"}, ')
      .replace('"annotations": [', `"annotations": [${annotation}, `);
    const { examples, problems } = await readAll(write('numbers.json', content));
    assert.deepEqual(
      examples.map(({ images, captions }) => [images[0].name, captions.map(({ text }) => text)]),
      [['c.jpg', ['third']]],
    );
    assert.equal(problems.filter(({ code }) => code === 'wrong-type').length, 4);
  });

  it('are exact as texts', async () => {
    const { examples } = await readAll(write('texts.json', cocoOf('"')));
    assert.deepEqual(
      examples.map(({ images, captions }) => [images[0].name, captions.map(({ text }) => text)]),
      [
        ['a.jpg', ['first']],
        ['b.jpg', ['second']],
      ],
    );
  });

  it('join results and annotations exactly or not at all', async () => {
    const results = (quote: string): string => `[{"image_id": ${quote}${one}${quote}, "caption": "mine"}]`;
    await assert.rejects(readCaptions(write('results.json', results(''))), saying('dataset.numberTooLarge'));
    const annotations = await readCaptions(write('coco.json', cocoOf('"')));
    const found = byIdsOf(annotations, await readCaptions(write('texts.results.json', results('"'))));
    assert.deepEqual([...found.values()], [{ image: 'a.jpg', captions: ['mine'] }]);
  });
});

describe('captions of two images in one file', () => {
  const { write } = scratchFolder();
  for (const [a, b] of [
    ['1.jpg', '1.png'],
    ['1.jpg', '01.jpg'],
    ['x/1.jpg', '1.jpg'],
  ])
    it(`are not mixed: ${a} and ${b}`, async () => {
      const path = write('captions.csv', `image,caption\n${a},a dog\n${b},a cat\n`);
      await assert.rejects(
        readCaptions(path),
        (error) =>
          error instanceof CaptiousError &&
          error.kind === 'input' &&
          [path, a, b].every((name) => english(error.words).includes(name) || error.at === name),
      );
    });
});

describe('JSON Lines whose first line is long', () => {
  const { write } = scratchFolder();
  for (const length of [70_000, 2_000_000])
    it(`are read: ${length} characters`, async () => {
      const first = { caption: 'a dog', image: 'a.jpg', note: ['x'.repeat(length)] };
      const second = { caption: 'a cat', image: 'b.jpg' };
      const path = write('long.jsonl', [first, second].map((row) => `${JSON.stringify(row)}\n`).join(''));
      const { examples } = await readAll(path);
      assert.deepEqual(
        examples.map(({ images }) => images[0].name),
        ['a.jpg', 'b.jpg'],
      );
    });
});
