import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { say } from '../../../../src/base/say';
import { association, type Association } from '../../../../src/stats/agreement/association';
import { partialAssociation, partialScales } from '../../../../src/stats/agreement/partial';
import { numberClusters } from '../../../../src/stats/clustering';
import { isDefined, type Outcome } from '../../../../src/stats/outcome';

interface Case {
  people: number[];
  scores: number[];
  words: number[];
  clusters: number[];
  value: number;
  without: number[];
}

const { cases } = JSON.parse(readFileSync('test/oracle/agreement/partial.json', 'utf8')) as { cases: Case[] };

function partial({ people, scores, words, clusters }: Omit<Case, 'value' | 'without'>): Outcome<Association> {
  const of = (a: number[], b: number[]) => association('tauB', a, b, numberClusters(clusters));
  return partialAssociation(of(people, scores), of(people, words), of(scores, words));
}

describe('agreement with a variable held constant', () => {
  it('is the correlation of what is left of all pairs after a regression, also without each image', () => {
    assert.ok(cases.length > 20);
    for (const { value, without, ...one } of cases) {
      const found = partial(one);
      assert.ok(isDefined(found));
      assert.ok(Math.abs(found.value - value) < 1e-9, `${found.value} instead of ${value}`);
      assert.equal(found.without.length, without.length);
      found.without.forEach((own, g) => assert.ok(Math.abs(own - without[g]) < 1e-9));
    }
  });

  it('follows by hand from six pairs', () => {
    const found = partial({
      people: [1, 2, 3, 4],
      scores: [1, 2, 4, 3],
      words: [2, 1, 4, 3],
      clusters: [0, 1, 2, 3],
    });
    assert.ok(isDefined(found));
    // τ of people and scores is 2/3, of people and words 1/3, of scores and words 2/3.
    const expected = (2 / 3 - (1 / 3) * (2 / 3)) / Math.sqrt((1 - 1 / 9) * (1 - 4 / 9));
    assert.ok(Math.abs(found.value - expected) < 1e-12);
  });

  it('is 0 on the normal scale if two normal variables share only the third', () => {
    // τ of normal variables with r = .7, .7 and .49.
    const of = (r: number): Association => ({
      value: (2 / Math.PI) * Math.asin(r),
      without: Float64Array.of((2 / Math.PI) * Math.asin(r)),
    });
    const own = partialAssociation(of(0.49), of(0.7), of(0.7));
    const normal = partialAssociation(of(0.49), of(0.7), of(0.7), partialScales.normal);
    assert.ok(isDefined(own) && isDefined(normal));
    assert.ok(own.value > 0.1, 'although nothing else is shared');
    for (const value of [normal.value, normal.without[0]]) assert.ok(Math.abs(value) < 1e-12);
  });

  it('is not defined if the length decides the order of the scores, or is the same for all', () => {
    const shared = { people: [1, 3, 2, 4], scores: [1, 2, 3, 4], clusters: [0, 1, 2, 3] };
    assert.deepEqual(partial({ ...shared, words: [5, 6, 7, 8] }), { reason: say('stats.heldDecides') });
    assert.deepEqual(partial({ ...shared, words: [5, 5, 5, 5] }), {
      reason: say('stats.constantVariable'),
    });
  });
});
