import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import type { InvarianceRow } from '../../../../src/probe/invariance/row';
import { riskBetween } from '../../../../src/probe/invariance/systems';

const noise = (i: number): number => ((i * 7919 + 104_729) % 1009) / 1009 - 0.5;

const images = 60;
/** Scores of two systems: before a change, and after a flip and a rotation. */
const scores = [0, 1].map((system) =>
  Array.from({ length: images }, (_, i) => {
    const before = 0.5 + 0.02 * noise(3 * i + system) + (system === 0 ? 0.004 : 0);
    return { before, after: [1, 2].map((change) => before + 0.02 * noise(5 * i + 2 * change + 31 * system)) };
  }),
);

function rowsOf(system: (typeof scores)[number]): InvarianceRow[] {
  return system.map(({ before, after }, i) => ({
    ...{ example: `e${i}`, row: i, image: `${i}.jpg`, text: 'a', objects: 'none', source: 'dataset' },
    ...{ score: before, rejected: [] },
    variants: ['vflip', 'hflip'].map((family, change) => ({
      ...{ axis: 'spatial', family, variant: '', transform: { op: family }, against: before },
      ...{ score: after[change], delta: after[change] - before, change: null },
    })),
  })) as InvarianceRow[];
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Equation 1 on scores of the second system that were moved until the mean lead is `gap`. */
function expected(gap: number, [a, b]: typeof scores): number {
  const move = mean(a.map(({ before }) => before)) - mean(b.map(({ before }) => before)) - gap;
  const swaps = a.flatMap((one, i) =>
    one.after.map((after, change) => {
      const was = one.before - (b[i].before + move);
      return Math.sign(after - (b[i].after[change] + move)) === Math.sign(was) ? 0 : 1;
    }),
  );
  return mean(swaps);
}

describe('the risk of a rank swap between two systems, by their gap', () => {
  const risk = atOnce(riskBetween(rowsOf(scores[0]), rowsOf(scores[1])))!;

  it('is equation 1 on scores whose means differ by the gap', () => {
    assert.deepEqual(
      risk.byGap.map(({ gap }) => gap),
      [0.3, 0.5, 0.7, 1],
    );
    for (const { gap, value, pairs, ci } of risk.byGap) {
      assert.ok(Math.abs(value - expected(gap / 100, scores)) < 1e-12, `${gap}: ${value}`);
      assert.equal(pairs, 2 * images);
      assert.ok(ci !== undefined && ci[0] <= value && value <= ci[1]);
    }
    assert.ok(risk.byGap[0].value > risk.byGap[3].value && risk.byGap[3].value > 0);
  });

  it('is the risk itself at the real gap', () => {
    // A range with which 1 % is the real gap.
    const own = atOnce(riskBetween(rowsOf(scores[0]), rowsOf(scores[1]), 100 * Math.abs(risk.gap)))!;
    assert.ok(Math.abs(own.byGap[3].value - risk.value) < 1e-12);
  });

  it('does not depend on which system is named first, or on the unit of the score', () => {
    const values = ({ byGap }: typeof risk) => byGap.map(({ value }) => value);
    assert.deepEqual(values(atOnce(riskBetween(rowsOf(scores[1]), rowsOf(scores[0])))!), values(risk));
    const scaled = scores.map((system) =>
      system.map(({ before, after }) => ({ before: 8 * before, after: after.map((score) => 8 * score) })),
    );
    assert.deepEqual(values(atOnce(riskBetween(rowsOf(scaled[0]), rowsOf(scaled[1]), 8))!), values(risk));
  });
});
