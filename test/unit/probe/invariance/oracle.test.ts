import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../src/base/turns/steps';
import { lexicon } from '../../../../src/perturb/society/lexicon';
import { invariance } from '../../../../src/probe/invariance/invariance';
import { FlipRisks } from '../../../../src/probe/invariance/rrf';
import type { InvarianceRow, InvarianceVariant } from '../../../../src/probe/invariance/row';
import type { Metric } from '../../../../src/probe/metric';

const folder = join(__dirname, '../../../oracle/invariance');

interface Expected {
  value: number | null;
  n: number;
  /** Set if the oracle's fit failed. */
  notFitted?: true;
  /** Bounds for each end of the interval, with a margin for resampling noise. */
  ci?: [[number, number], [number, number]];
}

const keyOf = ({ id, slice }: Metric): string => {
  const sorted = slice && Object.fromEntries(Object.entries(slice).sort(([a], [b]) => (a < b ? -1 : 1)));
  // Writes the key as Python's json.dumps does.
  return JSON.stringify([id, sorted ?? null])
    .replaceAll('","', '", "')
    .replaceAll('":"', '": "')
    .replace('",{', '", {')
    .replace('",null', '", null');
};

/** Four images for each generated caption, as in makeFigures.py. */
function shared(rows: readonly InvarianceRow[]): InvarianceRow[] {
  return rows
    .filter(({ source, score }) => source === 'template' && score !== null)
    .flatMap((row) =>
      [0, 1, 2, 3].map((copied) => {
        const name = `${row.image} ${copied}`;
        const scoreOf = (score: number, i: number) => score + 0.001 * (((7 * i + 3 * copied) % 11) - 5);
        const isUsed = ({ family, variant }: InvarianceVariant) =>
          ['African', 'Arab'].includes(variant) || ['neutral', 'gender'].includes(family);
        const variants = row.variants
          .filter(isUsed)
          .map((one, i) => ({ ...one, score: scoreOf(one.score, i) }));
        return { ...row, example: name, image: name, variants };
      }),
    );
}

for (const of of ['figures', 'shared'] as const)
  describe(`the metrics of an invariance audit against a second implementation (${of})`, () => {
    let metrics: Metric[];
    let expected: Record<string, Expected>;

    before(function () {
      this.timeout(60_000);
      const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trimEnd().split('\n');
      const rows = lines.map((line) => JSON.parse(line) as InvarianceRow);
      const kept = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8')) as Record<
        typeof of,
        Record<string, Expected>
      >;
      expected = kept[of];
      const summary = invariance.summary({
        dataset: 'samples',
        seed: 42,
        options: {},
        scores: ['image-text', 'text-text'],
        beside: { lexicon, instances: { path: 'instances.json', sha256: '', images: new Map() } },
      });
      for (const row of of === 'shared' ? shared(rows) : rows) summary.add(row);
      metrics = atOnce(summary.finish()).metrics;
    });

    it('are the same, each over as many pairs', () => {
      const theirs = new Set(Object.keys(expected));
      for (const metric of metrics) {
        // A part of the stated range, not of the rows.
        if (metric.id === 'invariance.rangeGap') {
          assert.equal(metric.value, 0.007 * 2);
          continue;
        }
        const key = keyOf(metric);
        // The oracle may name the two groups in either order.
        const { against, ...other } = metric.slice ?? {};
        const [what] = Object.entries(other);
        const turned =
          against === undefined || what === undefined
            ? key
            : keyOf({ ...metric, slice: { ...metric.slice, [what[0]]: against, against: what[1] } });
        const known = theirs.has(key) ? key : turned;
        assert.ok(theirs.delete(known), `${key} is not in the oracle`);
        const { value: theirValue, n, notFitted } = expected[known];
        // The difference of a pair in the other order has the other sign.
        const isTurned = known !== key && metric.id.includes('.contrast');
        const value = isTurned && theirValue !== null ? -theirValue : theirValue;
        assert.equal(metric.n, n, key);
        if (notFitted) continue;
        if (value === null || metric.value === null)
          assert.equal(metric.value, value, `${key}: ${english(metric.note ?? '')}`);
        else {
          const tolerance = metric.id.endsWith('.beta1') ? 1e-4 : 1e-9;
          assert.ok(
            Math.abs(metric.value - value) <= tolerance * Math.max(1, Math.abs(value)),
            `${key}: ${metric.value}, expected ${value}`,
          );
        }
      }
      assert.deepEqual([...theirs], []);
      assert.ok(
        metrics.filter(({ value }) => value !== null).length > (of === 'figures' ? 500 : 150),
        'most of them are defined',
      );
    });

    it('have the intervals of another generator’s resamples', () => {
      let compared = 0;
      for (const metric of metrics) {
        const band = expected[keyOf(metric)]?.ci;
        if (metric.ci === undefined || band === undefined) continue;
        compared++;
        metric.ci.forEach((end, i) => {
          const [low, high] = band[i];
          assert.ok(
            end >= low - 1e-9 && end <= high + 1e-9,
            `${keyOf(metric)}: ${end} is not between ${low} and ${high}`,
          );
        });
      }
      assert.ok(compared > (of === 'figures' ? 300 : 100), `${compared} intervals were compared`);
    });
  });

describe('the ranking flip risk', () => {
  const shifts = Float64Array.from([0.01, -0.02, 0, 0.031, 0.01, -0.02, 0.5]);
  const byHand = (rows: readonly number[], gap: number): number => {
    let [larger, pairs] = [0, 0];
    for (const [i, a] of rows.entries()) {
      for (const [j, b] of rows.entries()) {
        if (i === j || a === b) continue;
        pairs++;
        if (shifts[b] - shifts[a] > gap) larger++;
      }
    }
    return (larger / pairs) * (1 - 1 / shifts.length);
  };

  const gaps = [0, 0.005, 0.007, 0.01, 0.03, 1];
  const risks = new FlipRisks(shifts, gaps, Uint32Array.from(shifts.keys()), shifts.length);
  /** The flip risks of a sample of rows, one for each gap. */
  const overRows = (rows: readonly number[]): Float64Array => {
    const times = new Float64Array(shifts.length);
    for (const row of rows) times[row]++;
    const out = new Float64Array(gaps.length);
    risks.of(times, out);
    return out;
  };

  it('counts pairs whose difference exceeds the gap, over all rows and over samples', () => {
    for (const [i, gap] of gaps.entries()) {
      let pairs = 0;
      for (const a of shifts) for (const b of shifts) if (b - a > gap) pairs++;
      assert.ok(Math.abs(risks.values()[i] - pairs / 49) < 1e-15);
      for (const rows of [
        [0, 0, 1, 6, 6, 6, 3],
        [2, 5],
        [6, 5, 4, 3, 2, 1],
      ])
        assert.ok(Math.abs(overRows(rows)[i] - byHand(rows, gap)) < 1e-15);
    }
  });

  it('excludes pairs of a row with its own repeat', () => {
    assert.deepEqual([...overRows([3, 3, 3])], [0, 0, 0, 0, 0, 0]);
  });
});
