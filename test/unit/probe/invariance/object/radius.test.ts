import { english } from '../../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../../src/base/turns/steps';
import { type Places, placesOf, radiusMetrics } from '../../../../../src/probe/invariance/object/radius';
import { box, drive, example, instancesOf, size } from '../drive';
import { findSaid } from '../../../../../src/base/say';

interface Oracle {
  places: Places[];
  f: number;
  p: number;
  df: [number, number];
  effects: Record<string, number>;
}

const oracle = JSON.parse(
  readFileSync(join(__dirname, '../../../../oracle/invariance/radius.json'), 'utf8'),
) as Oracle;
const prefix = 'invariance.object.radius';

describe('the distance of an object from the centre', () => {
  it('has the F-test and the effects of statsmodels', () => {
    const metrics = atOnce(radiusMetrics(oracle.places));
    const near = (value: number | null, expected: number) =>
      assert.ok(value !== null && Math.abs(value / expected - 1) < 1e-8, `${value} ${expected}`);
    const test = metrics.find(({ id }) => id === `${prefix}.p`)!;
    near(test.value, oracle.p);
    assert.ok(
      english(test.note!).includes(`F(${oracle.df.join(', ')}) = ${oracle.f.toPrecision(6)}`),
      english(test.note ?? ''),
    );
    assert.equal(test.images, oracle.places.length);
    const effects = metrics.filter(({ id }) => id === `${prefix}.delta`);
    assert.deepEqual(
      effects.map(({ slice }) => slice?.radius),
      Object.keys(oracle.effects),
    );
    for (const { value, slice, ci } of effects) {
      near(value, oracle.effects[String(slice!.radius)]);
      assert.ok(ci !== undefined && ci[0] < value! && value! < ci[1]);
    }
  });

  it('is not tested if no object moved, or if all are equally far from the centre', () => {
    assert.deepEqual(atOnce(radiusMetrics([])), []);
    const same = oracle.places.map((place) => ({ ...place, radius: place.radius.map(() => 0.5) }));
    const [test, ...rest] = atOnce(radiusMetrics(same));
    assert.equal(test.value, null);
    assert.ok(findSaid(test.note, 'inference.noTest'));
    assert.deepEqual(rest, []);
  });

  it('comes from the boxes, the moves and the size of the image', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const driven = drive(
      ids.map((id) => example(id)),
      instancesOf(Object.fromEntries(ids.map((id, i) => [id, [box('dog', 30 + 5 * i, 30, 14, 12)]]))),
    );
    const moves = driven.rows.flatMap(({ variants }) =>
      variants.filter(({ transform }) => transform?.op === 'move'),
    );
    const test = driven.findings().metrics.find(({ id }) => id === `${prefix}.p`)!;
    assert.equal(test.n, moves.length + ids.length);
    const row = driven.rows.find(({ example: id }) => id === 'a')!;
    const first = row.variants.find(({ transform }) => transform?.op === 'move')!;
    assert.ok(first.transform?.op === 'move');
    const { radius } = placesOf(row, 0)!;
    const half = Math.hypot(size.width, size.height) / 2;
    assert.equal(radius[0], Math.hypot(37 - 50, 36 - 40) / half);
    const { dx, dy } = first.transform;
    assert.equal(radius[1], Math.hypot(37 + dx - 50, 36 + dy - 40) / half);
  });
});
