import assert from 'node:assert/strict';
import { english } from '../../../../src/base/say';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import { lgipRows, lgipView } from '../../../../src/probe/lgip/view';

function lensOf(score: number | null, ...deltas: number[]): string {
  const variants = deltas.map((delta) => ({
    ...{ family: 'paraphrase' as const, kind: 'template', rule: '{c}', text: 'a bus', delta },
    ...{ score: (score ?? 0) + delta, was: [0, 1] as const, span: [0, 1] as const },
  }));
  const row: LgipRow = {
    ...{ example: 'e', row: 0, caption: 0, field: 'caption', text: 'a red bus', words: 3, score },
    ...{ outcome: 'perturbed', variants },
  };
  return english(lgipRows.mark(row).words);
}

describe('the lens above a caption', () => {
  it('calls a caption unstable from a mean change of 6 % of its score', () => {
    assert.equal(lensOf(0.25, 0.083), 'unstable ±0.083');
    assert.equal(lensOf(0.25, 0.006), 'stable ±0.006');
    assert.equal(lensOf(0.5, 0.04, -0.021), 'unstable ±0.030');
    assert.equal(lensOf(0.5, 0.04, -0.019), 'stable ±0.029');
    assert.equal(lensOf(-0.25, 0.083), 'unstable ±0.083');
  });

  it('gives only the change without a score to compare it with', () => {
    assert.equal(lensOf(0, 0.083), 'reworded ±0.083');
    assert.equal(lensOf(null, 0.083), 'reworded ±0.083');
  });
});

describe('the lens above a file', () => {
  it('gives the invariance error without calling it stable or unstable', () => {
    const metric = (id: string, value: number) => ({ id, value, n: 9 });
    assert.equal(
      english(lgipView.sentence([metric('lgip.inv', 0.083), metric('lgip.pr', 0.75)])!),
      'reworded ±0.083, 75 % of flips caught',
    );
  });
});
