import assert from 'node:assert/strict';
import { shadesIn } from '../../../../src/editor/words/wordShades';
import { wordsOf } from '../../../../src/explain/units';

/** Words with the influences 1, −0.4, 0.1 and 0.01, one after another. */
const influences = [1, -0.4, 0.1, 0.01];
const wordsIn = (caption: string) =>
  wordsOf(caption).map(({ start, end }, i) => ({ start, end, influence: influences[i % 4] }));

describe('marking the words of a caption', () => {
  const shown = (source: string, caption: string, from = 0) =>
    shadesIn(source, from, caption, wordsIn(caption)).map(({ start, end, raises, strong }) => [
      source.slice(start, end),
      raises,
      strong,
    ]);
  const marks = (...words: string[]) => [
    [words[0], true, true],
    [words[1], false, true],
    [words[2], true, false],
  ];

  it('finds them in JSON, JSON Lines, CSV and TSV, without words of no influence', () => {
    const caption = 'Two bears, one runs';
    for (const source of [
      JSON.stringify({ caption }, null, 1),
      `${JSON.stringify({ image: 'Two.jpg', caption })}\n`,
      `image,caption\na.jpg,"${caption}"\n`,
      `image\tcaption\na.jpg\t${caption}\n`,
    ])
      assert.deepEqual(shown(source, caption), marks('Two', 'bears', 'one'), source);
  });

  it('finds them if the caption is escaped, except for words that are escaped themselves', () => {
    const caption = 'A "red" bus now';
    for (const source of [JSON.stringify({ caption }), `a.jpg,"${caption.replaceAll('"', '""')}"\n`])
      assert.deepEqual(shown(source, caption), marks('A', 'red', 'bus'), source);
    const escaped = '{"caption": "Caf\\u00e9 is open now"}';
    assert.deepEqual(shown(escaped, 'Café is open now'), marks('', 'is', 'open').slice(1));
  });

  it('uses the caption at or after a place, and nothing if it is gone', () => {
    const caption = 'One red bus now';
    const source = `a.jpg\t${caption}\nb.jpg\t${caption}\n`;
    const second = source.indexOf('b.jpg');
    assert.ok(shadesIn(source, second, caption, wordsIn(caption)).every(({ start }) => start > second));
    assert.deepEqual(shown(source, 'Two red buses'), []);
  });
});
