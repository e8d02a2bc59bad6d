import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { hasMeasured, verdictOf, verdictsOf } from '../../../../src/editor/text/figure';
import { sentence } from '../../../sentence';

const report = (name: string, value: number | null, n = 40) => ({
  ...{ probe: 'lgip', evaluator: { name } },
  metrics: [
    { id: 'lgip.pr', value, n },
    { id: 'lgip.pr.object', value, n },
  ],
});

describe('the verdict of a run', () => {
  it('has the slices of one report, and one number of each of several', () => {
    assert.equal(
      english(verdictOf([report('A', 0.7)])!),
      'A catches 70 % of flips: objects 70 %, without an interval',
    );
    assert.equal(
      english(verdictOf(['A', 'B', 'C', 'D', 'E'].map((name) => report(name, 0.5)))!),
      'A catches 50 % of flips · B catches 50 % of flips · C catches 50 % of flips · 2 more',
    );
    assert.equal(verdictOf([report('A', null, 0)]), undefined);
  });

  it('is also given for each probe, with the slices of a probe that has one report', () => {
    const visla = {
      probe: 'visla',
      evaluator: { name: 'A' },
      metrics: [{ id: 'visla.t2t', value: 0.5, n: 40 }],
    };
    const all = verdictsOf([report('A', 0.7), visla, report('B', null, 0)]);
    assert.deepEqual(
      all.map(({ probe }) => probe),
      ['lgip', 'visla'],
    );
    assert.equal(english(all[0].words), sentence('lgip.caughtHeadline', 'A', '70 %'));
    assert.match(english(all[1].words), /^A distinguishes meaning from wording in 50 % of triplets/);
    assert.deepEqual(verdictsOf([report('A', null, 0)]), []);
  });

  it('recognises a run without results', () => {
    assert.equal(hasMeasured([report('A', null, 0), report('B', null, 0)]), false);
    assert.equal(hasMeasured([report('A', null, 0), report('B', 0)]), true);
    assert.equal(hasMeasured([]), false);
  });
});
