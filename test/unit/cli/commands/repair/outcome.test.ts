import assert from 'node:assert/strict';
import { verdictOf } from '../../../../../src/cli/commands/repair/outcome';
import type { PairedDifference } from '../../../../../src/report/paired';

function difference(
  metric: string,
  change: number,
  verdict: PairedDifference['verdict'],
  pValue = verdict === 'undecided' ? 0.4 : 0.001,
): PairedDifference {
  const better = metric.endsWith('rsms') ? 'lower' : 'higher';
  return { metric, better, n: 96, images: 96, difference: change, pValue, verdict };
}

const outcome = (...differences: PairedDifference[]) => verdictOf([{ probe: 'rococo', differences }]);
const clean = difference('rococo.i2t.r1', -0.01, 'undecided');

describe('the verdict on a repair', () => {
  it('is that it helps only if fewer altered entries come first and clean recall stays', () => {
    const helps = outcome(difference('rococo.i2t.rsms', -0.05, 'second'), clean);
    assert.equal(helps?.helps, true);
    assert.match(helps.words, /^The head helps on held-out images: rococo\.i2t\.rsms -0\.0500; /);
    const lost = outcome(
      difference('rococo.i2t.rsms', -0.05, 'second'),
      difference('rococo.i2t.r1', -0.021, 'undecided'),
    );
    assert.equal(lost?.helps, false);
  });

  it('recommends not to use a head that makes results worse, or has no significant effect', () => {
    const worse = outcome(difference('rococo.i2t.rsms', 0.031, 'first'), clean);
    assert.equal(worse?.helps, false);
    assert.match(worse.words, /\+0\.0310; .* Do not use it\./);
    assert.equal(outcome(difference('rococo.i2t.rsms', -0.05, 'undecided'), clean)?.helps, false);
    const mixed = outcome(
      ...[difference('rococo.i2t.rsms', -0.05, 'second'), clean],
      ...[difference('rococo.t2i.rsms', 0.05, 'first'), difference('rococo.t2i.r1', 0, 'undecided')],
    );
    assert.equal(mixed?.helps, false);
  });

  it('tests each of two directions at half the level', () => {
    const other = [
      difference('rococo.t2i.rsms', 0, 'undecided'),
      difference('rococo.t2i.r1', 0, 'undecided'),
    ];
    assert.equal(outcome(difference('rococo.i2t.rsms', -0.05, 'second', 0.04), clean)?.helps, true);
    assert.equal(
      outcome(difference('rococo.i2t.rsms', -0.05, 'second', 0.04), clean, ...other)?.helps,
      false,
    );
  });

  it('is absent without RoCOCO', () => {
    assert.equal(verdictOf([]), undefined);
    assert.equal(verdictOf([{ probe: 'lgip', differences: [] }]), undefined);
  });
});
