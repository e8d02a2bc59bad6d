import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { hasMeasured, verdictOf, verdictsOf } from '../../../../src/editor/text/figure';
import { sentence } from '../../../sentence';

const report = (name: string, value: number | null, n = 40) => ({
  ...{ probe: 'lgip', evaluator: { name }, claims: [] },
  metrics: [
    { id: 'lgip.pr', value, n },
    { id: 'lgip.pr.object', value, n },
  ],
});

const caught = (name: string, percent: number) => sentence('lgip.caughtHeadline', name, `${percent} %`);

describe('the verdict of a run', () => {
  it('has the slices of one report, and one number of each of several', () => {
    assert.equal(
      english(verdictOf([report('A', 0.7)])!),
      `${caught('A', 70)}: ${sentence('lgip.headlineObjects')} 70 %, ${sentence('probe.withoutInterval')}`,
    );
    assert.equal(
      english(verdictOf(['A', 'B', 'C', 'D', 'E'].map((name) => report(name, 0.5)))!),
      [...['A', 'B', 'C'].map((name) => caught(name, 50)), sentence('editor.further', 2)].join(' · '),
    );
    assert.equal(verdictOf([report('A', null, 0)]), undefined);
  });

  it('is also given for each probe, with the slices of a probe that has one report', () => {
    const visla = {
      probe: 'visla',
      evaluator: { name: 'A' },
      claims: [],
      metrics: [{ id: 'visla.t2t', value: 0.5, n: 40 }],
    };
    const all = verdictsOf([report('A', 0.7), visla, report('B', null, 0)]);
    assert.deepEqual(
      all.map(({ probe }) => probe),
      ['lgip', 'visla'],
    );
    assert.equal(english(all[0].words), caught('A', 70));
    assert.ok(english(all[1].words).startsWith(sentence('visla.captionsHeadline', 'A', '50 %')));
    assert.deepEqual(verdictsOf([report('A', null, 0)]), []);
    const [of] = verdictsOf(['A', 'B', 'C'].map((name) => report(name, 0.5)));
    assert.equal(english(of.words), `${caught('A', 50)} · ${sentence('editor.further', 2)}`);
  });

  it('recognises a run without results', () => {
    assert.equal(hasMeasured([report('A', null, 0), report('B', null, 0)]), false);
    assert.equal(hasMeasured([report('A', null, 0), report('B', 0)]), true);
    assert.equal(hasMeasured([]), false);
  });
});
