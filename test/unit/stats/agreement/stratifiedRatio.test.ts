import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { stratifiedRatio, type ValuedUnit } from '../../../../src/stats/agreement/stratifiedRatio';
import { normalQuantile } from '../../../../src/stats/normal';
import { isDefined } from '../../../../src/stats/outcome';
import { saying } from '../../../sentence';

describe('the mean of a known value over accepted units', () => {
  const unit = (i: number, value: number, label?: number): ValuedUnit => ({
    ...{ stratum: 'a', cluster: String(i), score: value, value },
    ...(label === undefined ? {} : { label }),
  });

  it('is the plain mean of the accepted units if all are labelled', () => {
    const found = stratifiedRatio([1, 2, 3, 4, 10].map((value, i) => unit(i, value, value < 5 ? 1 : 0)));
    assert.ok(isDefined(found));
    assert.ok(Math.abs(found.estimate - 2.5) < 1e-12);
    assert.ok(found.low < 2.5 && 2.5 < found.high);
  });

  it('covers the true mean in 93 to 97 % of samples, with shorter intervals than labels alone', function () {
    this.timeout(240_000);
    const draws = new Random(11, 'stratified ratio');
    const rounds = 300;
    let covered = 0;
    let shorter = 0;
    for (let round = 0; round < rounds; round++) {
      const units: ValuedUnit[] = [];
      for (let image = 0; image < 150; image++) {
        const own = 0.3 * normalQuantile(draws.uniform());
        for (const [s, share] of [0.9, 0.6].entries()) {
          const value = s + own + normalQuantile(draws.uniform());
          // The label does not depend on the value, so the true mean is known.
          const label = draws.uniform() < share ? 1 : 0;
          units.push({ stratum: String(s), cluster: String(image), score: value, value, label });
        }
      }
      const labelled = new Set(
        ['0', '1'].flatMap((stratum) =>
          draws.shuffle(units.filter((one) => one.stratum === stratum)).slice(0, 30),
        ),
      );
      const found = stratifiedRatio(
        units.map(({ stratum, cluster, score, value, label }, i) => ({
          ...{ stratum, cluster, score, value },
          ...(label !== undefined && labelled.has(units[i]) ? { label } : {}),
        })),
      );
      assert.ok(isDefined(found));
      const truth = 0.6 / 1.5;
      if (found.low <= truth && truth <= found.high) covered++;
      if (found.high - found.low < found.labelsOnly.high - found.labelsOnly.low) shorter++;
    }
    assert.ok(covered / rounds > 0.93 && covered / rounds < 0.97, String(covered / rounds));
    assert.ok(shorter > 0.95 * rounds, String(shorter / rounds));
  });

  it('has no value if people accept nothing', () => {
    const found = stratifiedRatio([unit(0, 1, 0), unit(1, 2, 0), unit(2, 3)]);
    assert.ok(!isDefined(found));
    assert.match(english(found.reason), saying('stats.noVariantAccepted'));
  });
});
