import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { findSaid } from '../../../../src/base/say';
import { rococoClaims } from '../../../../src/probe/rococo/claims';
import { type Hits, RetrievalFigures } from '../../../../src/probe/rococo/retrieval';
import type { Metric } from '../../../../src/probe/metric';

/** Searches of 100 images: `right` are right without altered entries, and `wonFrom` of these and of the others are won by an altered one. */
function searches(right: number, wonFrom: { right: number; wrong: number }): Metric[] {
  const figures = new RetrievalFigures();
  for (let image = 0; image < 100; image++) {
    const isRight = image < right;
    const isWon = isRight ? image < wonFrom.right : image - right < wonFrom.wrong;
    const hits: Hits = {
      ...{ clean: [Number(isRight), 1, 1], stressed: [Number(isRight && !isWon), 1, 1] },
      ...{ cleanTies: [false, false, false], stressedTies: [false, false, false] },
      ...{ altered: Number(isWon), alteredTie: false },
    };
    figures.add([hits], image);
  }
  return [...atOnce(figures.cleanMetrics('rococo.i2t')), ...atOnce(figures.stressedMetrics('rococo.i2t'))];
}

const sides = (metrics: readonly Metric[]): string[] =>
  rococoClaims(metrics).flatMap(({ text }) =>
    (['Often', 'Rarely', 'Undecided'] as const).filter((side) =>
      findSaid(text, `rococo.captionSearchesLost${side}`),
    ),
  );
const drop = (metrics: readonly Metric[]): Metric => metrics.find(({ id }) => id.endsWith('.dropRate'))!;

describe('searches lost to altered entries', () => {
  it('are those that were right without them, whatever wins searches that were wrong', () => {
    const metrics = searches(80, { right: 0, wrong: 20 });
    assert.equal(metrics.find(({ id }) => id === 'rococo.i2t.rsms')?.value, 0.2);
    assert.deepEqual(sides(metrics), ['Rarely']);
    assert.deepEqual(sides(searches(60, { right: 20, wrong: 0 })), ['Often']);
    assert.deepEqual(sides(searches(60, { right: 3, wrong: 40 })), ['Undecided']);
  });

  it('need 20 images with a search that was right', () => {
    assert.equal(drop(searches(19, { right: 10, wrong: 0 })).images, 19);
    assert.deepEqual(sides(searches(19, { right: 10, wrong: 0 })), []);
    assert.deepEqual(sides(searches(20, { right: 10, wrong: 0 })), ['Often']);
  });

  it('have an interval if none is lost, and if all are', () => {
    assert.ok(drop(searches(60, { right: 0, wrong: 0 })).ci![1] > 0.02);
    assert.ok(drop(searches(60, { right: 60, wrong: 0 })).ci![0] < 0.98);
  });
});
