import assert from 'node:assert/strict';
import type { LabelledCaption, Verdict } from '../../../../src/protocol/rows';
import { worstFirst } from '../../../../webview/side/worstFirst';

const reference: LabelledCaption = {
  label: 'caption',
  text: 'a cat',
  score: 0.3,
  verdict: 'none',
  chosen: false,
};
const variant = (text: string, verdict: Verdict, delta: number): LabelledCaption => ({
  label: 'flip',
  text,
  score: 0.3 + delta,
  delta,
  verdict,
  against: 0,
  chosen: false,
});
const texts = (...all: LabelledCaption[][]) => worstFirst(all).map(({ caption }) => caption.text);

describe('the order of an example’s captions', () => {
  it('is the reference, then misses by size, ties, changes without a verdict, and narrow wins first', () => {
    const captions = [
      variant('won by much', 'right', -0.4),
      variant('missed by little', 'wrong', 0.01),
      reference,
      variant('little change', 'none', -0.01),
      variant('won by little', 'right', -0.02),
      variant('tie', 'tie', 0),
      variant('much change', 'none', 0.2),
      variant('missed by much', 'wrong', 0.3),
    ];
    assert.deepEqual(texts(captions), [
      ...['a cat', 'missed by much', 'missed by little', 'tie'],
      ...['much change', 'little change', 'won by little', 'won by much'],
    ]);
  });

  it('follows the evaluator that does worst, and pairs the scores of all', () => {
    const first = [reference, variant('x', 'right', -0.1), variant('y', 'right', -0.2)];
    const second = [reference, variant('y', 'wrong', 0.1)];
    assert.deepEqual(texts(first, second), ['a cat', 'y', 'x']);
    const [, y, x] = worstFirst([first, second]);
    assert.deepEqual(
      [y, x].map(({ by }) => by.map((caption) => caption?.delta)),
      [
        [-0.2, 0.1],
        [-0.1, undefined],
      ],
    );
  });
});
