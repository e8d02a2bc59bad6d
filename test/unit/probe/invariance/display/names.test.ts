import assert from 'node:assert/strict';
import { english } from '../../../../../src/base/english';
import { findSaid } from '../../../../../src/base/say';
import { invarianceParts } from '../../../../../src/probe/invariance/display/names';
import { metricNames } from '../../../../../src/probe/metricNames';

describe('names of invariance metrics', () => {
  it('distinguish median scores of unchanged images from median changes', () => {
    const nameOf = metricNames({ cards: () => [], metricParts: invarianceParts }, []);
    const names = [
      'invariance.object.coverage.0-10.median',
      'invariance.object.category.animal.median',
      'invariance.societal.economic.cheap.median',
    ].map((id) => nameOf(id));
    const [coverage, category] = names.slice(0, 2);
    assert.deepEqual(findSaid(coverage, 'invariance.coverageScore')?.values, ['0-10']);
    assert.ok(findSaid(category, 'invariance.categoryScore'));
    assert.match(english(category), /animal/);
    assert.ok(findSaid(names[2], 'invariance.medianChangePercent'));
  });

  it('of swap risks have the unit of their gap', () => {
    const nameOf = metricNames({ cards: () => [], metricParts: invarianceParts }, []);
    assert.deepEqual(findSaid(nameOf('invariance.object.rrf@0.7'), 'invariance.flipRiskAtGap')?.values, [
      '0.7',
    ]);
  });
});
