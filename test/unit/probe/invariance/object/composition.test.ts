import { english } from '../../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../../src/base/turns/steps';
import { Random } from '../../../../../src/base/random';
import { drawOutline } from '../../../../../src/perturb/image/mask';
import { anchors, placeAt } from '../../../../../src/perturb/image/place';
import { compositionMetrics, type Scored } from '../../../../../src/probe/invariance/object/composition';
import { box, drive, example, instancesOf } from '../drive';

interface Oracle {
  scored: Scored[];
  tests: Record<'category' | 'coverage', { f: number; p: number; df: number }>;
  /** The caption of each score, and the p values if images share them. */
  captions: string[];
  shared: Record<'category' | 'coverage', number>;
  mean: number;
  balanced: number;
  cells: number;
}

const oracle = JSON.parse(
  readFileSync(join(__dirname, '../../../../oracle/invariance/composition.json'), 'utf8'),
) as Oracle;

describe('size and category together', () => {
  const metrics = atOnce(compositionMetrics(oracle.scored));
  const of = (id: string) => metrics.find((metric) => metric.id === `invariance.object.${id}`)!;
  const near = (value: number | null, expected: number) =>
    assert.ok(value !== null && Math.abs(value / expected - 1) < 1e-9, `${value} ${expected}`);

  it('have the F-tests of statsmodels, each with the other as covariate', () => {
    for (const name of ['category', 'coverage'] as const) {
      const { f, p, df } = oracle.tests[name];
      const metric = of(`${name}.adjusted.p`);
      near(metric.value, p);
      assert.ok(
        english(metric.note!).includes(`F(${df}, 84) = ${f.toPrecision(6)}`),
        english(metric.note ?? ''),
      );
    }
  });

  it('have the larger p value of statsmodels over images and over captions, if images share captions', () => {
    const shared = oracle.scored.map((one, i) => ({ ...one, text: oracle.captions[i] }));
    const found = atOnce(compositionMetrics(shared));
    for (const name of ['category', 'coverage'] as const) {
      const metric = found.find(({ id }) => id === `invariance.object.${name}.adjusted.p`)!;
      near(metric.value, oracle.shared[name]);
      assert.equal(metric.texts, new Set(oracle.captions).size);
    }
  });

  it('have a plain mean, and a mean over equally weighted combinations', () => {
    near(of('mean').value, oracle.mean);
    near(of('balanced').value, oracle.balanced);
    for (const id of ['mean', 'balanced']) {
      const { ci, value } = of(id);
      assert.ok(ci !== undefined && ci[0] < value! && value! < ci[1]);
    }
    assert.match(english(of('balanced').note!), new RegExp(`of ${oracle.cells} combinations`));
  });

  it('are counted for each combination', () => {
    const cells = metrics.filter(({ id }) => id === 'invariance.object.balance');
    assert.equal(cells.length, oracle.cells);
    assert.equal(
      cells.reduce((sum, { n }) => sum + n, 0),
      oracle.scored.length,
    );
  });

  it('have no test if all objects are of one kind, or all of one size', () => {
    const one = oracle.scored.map((each) => ({ ...each, category: 'animal' }));
    const found = (scored: readonly Scored[], id: string) =>
      atOnce(compositionMetrics(scored)).find((metric) => metric.id === `invariance.object.${id}`)!;
    assert.match(english(found(one, 'category.adjusted.p').note!), /No test: there is only one group/);
    const few = atOnce(compositionMetrics(one.slice(0, 2)));
    const note = few.find(({ id }) => id === 'invariance.object.category.adjusted.p')!.note!;
    assert.match(english(note), /No test: there are too few images/);
    const same = oracle.scored.map((each) => ({ ...each, coverage: 0.5, bin: '50-70' }));
    assert.match(english(found(same, 'coverage.adjusted.p').note!), /No test/);
    assert.equal(found([], 'mean').value, null);
  });
});

describe('moves of an object', () => {
  const outline = { polygons: [[20, 15, 34, 15, 34, 27, 20, 27]] };
  const bitmap = drawOutline(outline, 100, 80);

  it('are at least as far as asked', () => {
    for (const anchor of anchors) {
      const place = (least: number) => placeAt(anchor, bitmap, [], new Random(42, 'e', 0, anchor), least);
      const [any, far] = [place(0), place(0.2)];
      assert.ok(any.ok);
      const diagonal = Math.hypot(100, 80);
      if (far.ok) assert.ok(Math.hypot(far.dx, far.dy) >= 0.2 * diagonal);
      else assert.match(english(far.reason), /less than 20 % of the diagonal/);
      if (Math.hypot(any.dx, any.dy) >= 0.2 * diagonal) assert.deepEqual(far, any);
    }
  });

  it('form slices by distance, and blur is apart from the rest of the spatial axis', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const instances = instancesOf(Object.fromEntries(ids.map((id) => [id, [box('dog', 40, 30, 14, 12)]])));
    const driven = drive(
      ids.map((id) => example(id)),
      instances,
    );
    const { rows } = driven;
    const { metrics } = driven.findings();
    const moves = rows.flatMap(({ variants }) => variants.filter(({ family }) => family === 'reposition'));
    const slices = metrics.filter(
      ({ id, slice }) => id === 'invariance.spatial.reposition.median' && slice?.distance !== undefined,
    );
    assert.ok(slices.length > 0);
    assert.equal(
      slices.reduce((sum, { n }) => sum + n, 0),
      moves.length,
    );
    const n = (id: string) => metrics.find((metric) => metric.id === id)!.n;
    assert.equal(
      n('invariance.spatial.withoutBlur.absMedian') + n('invariance.spatial.blur.absMedian'),
      n('invariance.spatial.absMedian'),
    );
  });
});
