import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Random } from '../../../../src/base/random';
import { stratifiedMean, type Unit } from '../../../../src/stats/agreement/stratified';
import { normalQuantile } from '../../../../src/stats/normal';
import { isDefined } from '../../../../src/stats/outcome';
import { saying } from '../../../sentence';

interface Case {
  units: [number, number, number | null][];
  lambda: number;
  estimate: number;
  ci: [number, number];
}

const { stratified } = JSON.parse(readFileSync('test/oracle/agreement/agreement.json', 'utf8')) as {
  stratified: Case[];
};

function near(ours: number, theirs: number): void {
  assert.ok(Math.abs(ours - theirs) <= 1e-9 * Math.max(1, Math.abs(theirs)), `${ours} instead of ${theirs}`);
}

describe('stratified prediction-powered inference', () => {
  it("equals ppi-python's estimates in each stratum, weighted by its share", () => {
    assert.ok(stratified.length > 0);
    for (const { units, lambda, estimate, ci } of stratified) {
      const found = stratifiedMean(
        units.map(([stratum, score, label], i): Unit => ({
          ...{ stratum: String(stratum), cluster: String(i), score },
          ...(label === null ? {} : { label }),
        })),
      );
      assert.ok(isDefined(found));
      near(found.lambda, lambda);
      near(found.estimate, estimate);
      near(found.low, ci[0]);
      near(found.high, ci[1]);
    }
  });

  it('covers the mean in 93 to 97 % of samples, with several variants of each image', () => {
    const draws = new Random(7, 'stratified sample');
    const normal = (): number => normalQuantile(draws.uniform());
    const rounds = 1500;
    let covered = 0;
    let shorter = 0;
    for (let round = 0; round < rounds; round++) {
      const units = Array.from({ length: 120 }, (_, image) => {
        const own = normal();
        return ['a', 'b', 'c'].map((stratum, s) => {
          const truth = s + own + normal();
          return { stratum, cluster: String(image), score: 0.02 * (truth + normal()), truth };
        });
      }).flat();
      const sampled = new Set(
        ['a', 'b', 'c'].flatMap((stratum) =>
          draws.shuffle(units.filter((unit) => unit.stratum === stratum)).slice(0, 15),
        ),
      );
      const found = stratifiedMean(
        units.map(({ truth, ...unit }, i) => (sampled.has(units[i]) ? { ...unit, label: truth } : unit)),
      );
      assert.ok(isDefined(found));
      // The true mean of the simulated images is 1.
      if (found.low <= 1 && 1 <= found.high) covered++;
      if (found.high - found.low < found.labelsOnly.high - found.labelsOnly.low) shorter++;
    }
    assert.ok(covered / rounds > 0.93 && covered / rounds < 0.97, String(covered / rounds));
    assert.ok(shorter > 0.95 * rounds, String(shorter / rounds));
  });

  it('needs two labels in each stratum', () => {
    const units: Unit[] = [1, 2, 3].map((score) => ({ stratum: 'a', cluster: String(score), score }));
    units[0].label = 1;
    const found = stratifiedMean(units);
    assert.ok(!isDefined(found));
    assert.match(english(found.reason), saying('stats.stratumNeedsLabels'));
  });
});
