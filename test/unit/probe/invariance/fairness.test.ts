import assert from 'node:assert/strict';
import { Cell } from '../../../../src/probe/invariance/cell';
import { ByFrequency, gapMetric } from '../../../../src/probe/invariance/fairness';

import { invarianceLayouts } from '../../../../src/report/paper/layouts/invariance';
import { reportOf } from '../../report/reportOf';

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

  it('have a gap in percentage points, whatever the unit of the score', async () => {
    const gapOf = (unit: number) => {
      const shift = { photo: 0, reference: 'r', category: 'animal', against: 0.5 * unit };
      const words = [0.55, 0.4].map((score, at) => {
        const cell = new Cell();
        cell.add({ ...shift, score: score * unit });
        return { name: String(at), values: [...cell.changes] };
      });
      return gapMetric('gap', words).value!;
    };
    for (const unit of [1, 100, 2.5]) assert.ok(Math.abs(gapOf(unit) - 30) < 1e-9);
    const metrics = [{ id: 'invariance.societal.gender.gap', value: gapOf(1), n: 2 }];
    const report = reportOf({ probe: 'invariance', metrics });
    const named = { path: 'r.json', evaluator: 'Tiny', dataset: 'coco' };
    const entry = { ...named, report, shares: () => Promise.reject(new Error('the card reads no rows')) };
    const card = invarianceLayouts.find(({ id }) => id === 'invariance.fairness')!;
    assert.match(
      (await card.build([entry])).caption,
      /largest difference between two words \(percentage points\)/,
    );
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
