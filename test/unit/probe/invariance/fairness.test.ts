import assert from 'node:assert/strict';
import { ByFrequency, gapMetric } from '../../../../src/probe/invariance/fairness';

describe('words for invisible properties', () => {
  it('have the gap between the extremes of their medians, with both words', () => {
    const gap = gapMetric('gap', [
      { name: 'cheap', values: [1, 2, 9] },
      { name: 'luxury', values: [-3, -4] },
      { name: 'budget', values: [0] },
      { name: 'expensive', values: [] },
    ]);
    assert.equal(gap.value, 5.5);
    assert.equal(gap.n, 6);
    assert.match(gap.note!, /From luxury \(-3\.50 %\) to cheap \(2\.00 %\)/);
    assert.equal(gapMetric('gap', [{ name: 'cheap', values: [1] }]).value, null);
  });

  it('are sliced by how often captions have them', () => {
    const frequencies = new ByFrequency();
    const shift = { against: 0.5, photo: 0, reference: 'r', category: 'animal' };
    for (const [word, score] of [
      ['girl', 0.6],
      ['boy', 0.7],
      ['American', 0.4],
      ['Oceanian', 0.25],
    ] as const)
      frequencies.add(word, { ...shift, score });
    const medians = frequencies.metrics().filter(({ id }) => id === 'invariance.societal.median');
    assert.deepEqual(
      medians.map(({ slice, n }) => [slice?.frequency, n]),
      [
        ['under 4', 1],
        ['4 to 39', 1],
        ['40 or more', 2],
      ],
    );
    assert.equal(medians[0].value, -50);
  });
});
