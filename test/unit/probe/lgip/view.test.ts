import assert from 'node:assert/strict';
import { findSaid, type Said, say } from '../../../../src/base/say';
import { english } from '../../../../src/base/english';
import { lackingGround } from '../../../../src/probe/ground';
import { headlineOf } from '../../../../src/probe/headline';
import { lgipClaims } from '../../../../src/probe/lgip/claims';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import { lgipRows } from '../../../../src/probe/lgip/rowView';
import { lgipView } from '../../../../src/probe/lgip/view';
import type { Metric } from '../../../../src/probe/metric';
import { sentence } from '../../../sentence';

function markOf(score: number | null, ...deltas: number[]): ReturnType<typeof lgipRows.mark> {
  return markIn('paraphrase', score, ...deltas);
}

function markIn(...given: Parameters<typeof rowOf>): ReturnType<typeof lgipRows.mark> {
  return lgipRows.mark(rowOf(...given));
}

function rowOf(
  family: LgipRow['variants'][number]['family'],
  score: number | null,
  ...deltas: number[]
): LgipRow {
  const variants = deltas.map((delta) => ({
    ...{ family, kind: 'template', rule: '{c}', text: 'a bus', delta },
    ...{ score: (score ?? 0) + delta, was: [0, 1] as const, span: [0, 1] as const },
  }));
  return {
    ...{ example: 'e', row: 0, caption: 0, field: 'caption', text: 'a red bus', words: 3, score },
    ...{ outcome: 'perturbed', variants },
  };
}

function lensOf(score: number | null, ...deltas: number[]): string {
  return english(markOf(score, ...deltas).words);
}

describe('the lens above a caption', () => {
  it('gives no verdict if the spread is not known', () => {
    // Without a spread, a percentage of a cosine would decide.
    for (const score of [0.25, -0.25, 0.5]) assert.equal(lensOf(score, 0.083), 'reworded ±0.083');
    const { unstable, rule } = markOf(0.5, 0.04);
    assert.deepEqual([unstable, (rule as Said).code], [undefined, 'lgip.noStability']);
  });

  it('calls a caption unstable from a mean change of a fifth of the spread, if the spread is known', () => {
    const row = rowOf('paraphrase', 4, 0.04, -0.019);
    assert.equal(english(lgipRows.mark(row, 0.1).words), 'unstable ±0.029 (0.29 SD)');
    assert.equal(lgipRows.mark(row, 0.1).unstable, true);
    const { code, values } = lgipRows.mark(row, 0.1).rule as Said;
    assert.deepEqual([code, ...values], ['lgip.stabilityRule', '0.2', '0.100']);
    const { words, unstable, hint } = lgipRows.mark(row, 0.15);
    assert.deepEqual([english(words), unstable, hint], ['stable ±0.029 (0.19 SD)', undefined, '±0.19 SD']);
  });

  it('gives only the change without a score to compare it with', () => {
    assert.equal(lensOf(0, 0.083), 'reworded ±0.083');
    assert.equal(lensOf(null, 0.083), 'reworded ±0.083');
  });

  it('does not deny flips that are not in the paper', () => {
    assert.deepEqual(markIn('beyond', 0.5, 0.1).words, say('lgip.onlyExtraFlips'));
    assert.equal(lensOf(0.5), sentence('lgip.noVariants'));
  });
});

describe('the verdict of a run', () => {
  it('gives the invariance error without calling it stable or unstable', () => {
    assert.deepEqual(
      lgipView.sentence([{ id: 'lgip.inv', value: 0.083, n: 9 }], 'Starter'),
      say('lgip.errorHeadline', 'Starter', '0.083'),
    );
    const spreads = { id: 'lgip.inv.relative', value: 0.537, n: 9 };
    assert.deepEqual(
      lgipView.sentence([{ id: 'lgip.inv', value: 0.083, n: 9 }, spreads], 'A'),
      say('lgip.errorHeadlineSpreads', 'A', '0.083', '0.54'),
    );
  });
});

describe('the chance level of caught flips', () => {
  // 40 % of the flips have the caption's score, so guessing catches 30 %.
  const rate = (id: string, value: number, ci: [number, number], ties = 80): Metric => ({
    ...{ id, value, ci, n: 200, ties },
  });
  const metrics = (ci: [number, number]) => [
    rate('lgip.pr', 0.4, ci),
    rate('lgip.pr.pooled', 0.4, ci),
    rate('lgip.pr.object', 0.52, [0.45, 0.6], 0),
  ];

  it('counts ties on cards, in the headline and as the ground of stability, as in the verdict', () => {
    const found = metrics([0.34, 0.47]);
    const chances = lgipView.cards(found).map(({ metric, chance }) => [metric, chance]);
    assert.deepEqual(chances, [
      ['lgip.pr', 0.3],
      ['lgip.pr.object', 0.5],
    ]);
    assert.equal(lackingGround(lgipView, found, 'lgip.inv'), undefined);
    assert.equal(
      findSaid(
        headlineOf(lgipView, 'E', { metrics: found, claims: [] }, { slices: false }),
        'probe.belowChance',
      ),
      undefined,
    );
    assert.ok(findSaid(lgipClaims(found)[0].text, 'lgip.caughtAboveChance'));
    assert.equal(lackingGround(lgipView, metrics([0.29, 0.47]), 'lgip.inv')?.chance, 0.3);
  });
});
