import assert from 'node:assert/strict';
import { english } from '../../../../src/base/say';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { vislaRows } from '../../../../src/probe/visla/rowView';

const fromCaptions = (p1n: number) => ({
  t2t: { p1p2: 0.8, p1n, p2n: 0.5, right: p1n < 0.8, tie: p1n === 0.8 },
});
const withImage = (n: number) => ({ i2t: { p1: 0.4, p2: 0.3, n, right: n < 0.3, tie: n === 0.3 } });

/** The lens's words, and the verdict that decides whether a lens is shown. */
function markOf(scores: Pick<VislaRow, 't2t' | 'i2t'>): [string, string | undefined] {
  const row = { example: 'e', p1: 'a cat', p2: 'one cat', n: 'a dog', ...scores } as VislaRow;
  const { words, captions } = vislaRows.mark(row);
  return [english(words), captions.at(-1)?.verdict];
}

describe('the lens above a triplet', () => {
  it('agrees with the verdict if only the captions were scored, or both settings agree', () => {
    assert.deepEqual(markOf(fromCaptions(0.7)), ['right by 0.100', 'right']);
    assert.deepEqual(markOf(fromCaptions(0.9)), ['wrong: P1–N closer by 0.100', 'wrong']);
    assert.deepEqual(markOf(withImage(0.5)), ['wrong: image–N closer by 0.200', 'wrong']);
    assert.deepEqual(markOf({ ...fromCaptions(0.7), ...withImage(0.1) }), ['right by 0.100', 'right']);
  });

  it('names both settings if they disagree', () => {
    assert.deepEqual(markOf({ ...fromCaptions(0.7), ...withImage(0.5) }), [
      'wrong with the image, right from the captions by 0.100',
      'wrong',
    ]);
    assert.deepEqual(markOf({ ...fromCaptions(0.9), ...withImage(0.1) }), [
      'right with the image, wrong from the captions by 0.100',
      'right',
    ]);
  });
});
