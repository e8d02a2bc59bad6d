import assert from 'node:assert/strict';
import { english } from '../../../../../src/base/english';
import { invarianceParts } from '../../../../../src/probe/invariance/display/names';
import { metricNames } from '../../../../../src/probe/metricNames';

describe('names of invariance metrics', () => {
  it('distinguish median scores of unchanged images from median changes', () => {
    const nameOf = metricNames({ cards: () => [], metricParts: invarianceParts }, []);
    const names = [
      'invariance.object.coverage.0-10.median',
      'invariance.object.category.animal.median',
      'invariance.societal.economic.cheap.median',
    ].map((id) => english(nameOf(id)));
    assert.deepEqual(names.slice(0, 2), [
      'Objects, Coverage, 0-10, median score',
      'Objects, Category, animal, median score',
    ]);
    assert.match(names[2], /median change in percent$/);
  });

  it('of swap risks have the unit of their gap', () => {
    const nameOf = metricNames({ cards: () => [], metricParts: invarianceParts }, []);
    assert.match(english(nameOf('invariance.object.rrf@0.7')), /at a score gap of 0\.7 %$/);
  });
});
