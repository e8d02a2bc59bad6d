import assert from 'node:assert/strict';
import type { Line } from '../../../../src/protocol/rows';
import { clearest, isDoubted } from '../../../../webview/panel/clearest';

describe('the example of the first screen', () => {
  const line = (index: number, before: string, after: string, verdict: Line['verdict'] = 'wrong'): Line => ({
    ...{ index, before, after, verdict },
    label: 'flip',
  });

  it('is the wrong one that differs in the fewest words, and the first of equals', () => {
    const lines = [
      line(0, 'a black dog on the grass', 'In this image, a white dog on the grass'),
      line(1, 'a dog on the grass', 'a cat on the grass'),
      line(2, 'a red car', 'a blue car'),
    ];
    assert.equal(clearest(lines)?.index, 1);
  });

  it('is none of the small errors beside a large one', () => {
    const lines = [
      { ...line(0, 'a black dog on the grass', 'In this image, a white dog on the grass'), delta: 0.4 },
      { ...line(1, 'a red car', 'a blue car'), delta: 0.19 },
      { ...line(2, 'a cat and a dog', 'a cat and two cows'), delta: 0.2 },
    ];
    assert.equal(clearest(lines)?.index, 2);
  });

  it('is one without a verdict only if none is wrong', () => {
    const lines = [{ ...line(0, 'a dog', 'a dog', 'none'), delta: 0.1 }, line(1, 'a dog', 'a big cat')];
    assert.equal(clearest(lines)?.index, 1);
    assert.equal(clearest(lines.slice(0, 1))?.index, 0);
  });

  it('is the largest change if no line has a verdict', () => {
    const changed = [-0.2, -0.4, 0.4].map((delta, i) => ({
      ...line(i, 'a dog', i === 1 ? 'a big cat' : 'a cat', 'none'),
      delta,
    }));
    assert.equal(clearest(changed)?.index, 2);
  });

  it('is none if nothing is compared, as in a benchmark', () => {
    assert.equal(clearest([line(0, 'a dog', 'a cat', 'none')]), undefined);
  });

  it('is none if nothing is wrong', () => {
    assert.equal(clearest([line(0, 'a dog', 'a cat', 'right'), line(1, 'a dog', 'a cow', 'tie')]), undefined);
    assert.equal(clearest([]), undefined);
  });

  it('is no variant that may be true, and none that a person rejected', () => {
    const perhaps = { word: 'car', caption: 'A red stop sign next to a car.' };
    const judged = [
      { index: 4, votes: [], perhaps },
      { index: 5, votes: [{ judge: 'ann', picked: 'rejected' as const }] },
      { index: 6, votes: [{ judge: 'ann', picked: 'valid' as const }] },
    ];
    const doubted = [3, 4, 5, 6].filter((index) => isDoubted({ index }, judged));
    assert.deepEqual(doubted, [4, 5]);
    assert.equal(isDoubted({ index: 4 }, null), false);
  });
});
