import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { Explained } from '../../../../src/protocol/explained';
import type { LabelledCaption } from '../../../../src/protocol/rows';
import { withResolution } from '../../../../webview/base/resolution';
import {
  captionsToExplain,
  differences,
  lineOf,
  movedBy,
  partValues,
  shadeOf,
  strengthOf,
  strongestOf,
  withOriginal,
  wordsAt,
} from '../../../../webview/why/shades';

const caption = (text: string, given: Partial<LabelledCaption> = {}): LabelledCaption => ({
  ...{ label: 'flip', text, verdict: 'none', chosen: false },
  ...given,
});

describe('what a page shows of an explanation', () => {
  it('shades values relative to the largest, with their sign', () => {
    const strongest = strengthOf([0.1, -0.4, null]);
    assert.equal(strongest, 0.4);
    assert.deepEqual(shadeOf(-0.4, strongest), { share: 1, raises: false });
    assert.deepEqual(shadeOf(0.1, strongest), { share: 0.25, raises: true });
    for (const value of [null, undefined]) assert.equal(shadeOf(value, strongest).share, 0);
    assert.equal(shadeOf(0, 0).share, 0);
  });

  it('draws the lines of the editor', () => {
    const lines = [0.05, 0.06, 1 / 3].flatMap((share) =>
      [true, false].map((raises) => lineOf({ share, raises })),
    );
    assert.deepEqual(lines, ['none', 'none', 'raises', 'lowers', 'raises strong', 'lowers strong']);
  });

  it('names the strongest of several values, and none if all are zero or unknown', () => {
    assert.equal(strongestOf([0.1, -0.3, 0.2]), 1);
    assert.equal(strongestOf([0, null]), undefined);
    assert.equal(strongestOf([]), undefined);
  });

  it('reads the table of words and regions both ways', () => {
    const regions = [
      { row: 0, column: 0, influence: 0.5, words: [0.1, 0.2] },
      { row: 0, column: 1, influence: null, words: [0.3, null] },
    ];
    assert.deepEqual(partValues(regions), [0.5, null]);
    assert.deepEqual(partValues(regions, 1), [0.2, null]);
    const explained: Explained = { caption: 'a b', method: 'shapley', score: 1, base: 0, words: [], regions };
    assert.deepEqual(wordsAt(explained, 1), [0.3, null]);
    assert.equal(wordsAt({ ...explained, regions: [{ row: 0, column: 0, influence: 1 }] }, 0), undefined);
    const found = [{ name: 'dog', box: [0, 0, 1, 1], share: 0.5, influence: 2, words: [7, 8] }];
    const ofObjects = {
      ...explained,
      regions: undefined,
      objects: { width: 2, height: 1, leftOut: 0, found },
    };
    assert.deepEqual(wordsAt(ofObjects, 0), [7, 8]);
  });

  it('subtracts the influences on one caption from those on the other, where both are known', () => {
    const [from, to] = [
      [1, null, 2],
      [4, 5, null],
    ].map((values) => values.map((influence) => ({ influence })));
    assert.deepEqual(partValues(differences(from, to)), [3, null, null]);
    assert.deepEqual(partValues(differences([], to)), [null, null, null]);
  });

  it('writes the resolution into a PNG', async () => {
    const plain = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const written = withResolution(plain, 300);
    const { density, width, height } = await sharp(written).metadata();
    assert.deepEqual([density, width, height], [300, 3, 2]);
    assert.deepEqual(await sharp(written).raw().toBuffer(), await sharp(plain).raw().toBuffer());
  });

  it('moves by arrow keys within words, and within the rows and columns of a map', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'a'];
    assert.deepEqual(
      keys.map((key) => movedBy(key, 1, 3)),
      [0, 2, 0, 2, 0, 2, undefined],
    );
    // Item 3 is at the left edge of the second of three rows.
    assert.deepEqual(
      keys.map((key) => movedBy(key, 3, 9, 3)),
      [3, 4, 0, 6, 0, 8, undefined],
    );
    assert.deepEqual(
      ['ArrowRight', 'ArrowDown'].map((key) => movedBy(key, 8, 9, 3)),
      [8, 8],
    );
  });

  it('explains the caption of the open line, after the caption that it is compared with', () => {
    const captions = [
      caption('a red bus'),
      caption('a bus that is red', { against: 0 }),
      caption('a blue bus', { against: 0, verdict: 'wrong' }),
    ];
    assert.deepEqual(captionsToExplain(captions), ['a red bus', 'a blue bus']);
    const chosen = captions.map((each, i) => (i === 1 ? { ...each, chosen: true } : each));
    assert.deepEqual(captionsToExplain(chosen), ['a red bus', 'a bus that is red']);
    assert.deepEqual(captionsToExplain(captions.slice(0, 1)), ['a red bus']);
    assert.deepEqual(captionsToExplain([]), []);
  });

  it('compares a caption without an original with any other text', () => {
    const captions = [caption('a red bus'), caption('a red bus'), caption('a bus')];
    assert.deepEqual(withOriginal(captions[0], captions), ['a red bus', 'a bus']);
  });
});
