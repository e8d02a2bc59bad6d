import { say, type Words } from '../../base/say';
import { against, intervalOf, percents, rateClaim, type Side } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

/** Each of three random scores is equally likely to be the highest, or the lowest. */
const chance = 1 / 3;

export function vislaClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...setting(metrics, 'visla.t2t', {
      above: say`From the captions alone, it distinguishes meaning from wording more often than chance.`,
      across: say`From the captions alone, its choices cannot be told from chance.`,
      below: say`From the captions alone, it is worse than chance: wording counts more than meaning.`,
    }),
    ...setting(metrics, 'visla.i2t', {
      above: say`With the image, it distinguishes meaning from wording more often than chance.`,
      across: say`With the image, its choices cannot be told from chance.`,
      below: say`With the image, it is worse than chance: wording counts more than meaning.`,
    }),
  ];
}

function setting(metrics: readonly Metric[], id: string, words: Record<Side, Words>): Claim[] {
  const claims = rateClaim(metrics, id, chance, words);
  const near = intervalOf(metrics, `${id}.p1n`);
  const far = intervalOf(metrics, `${id}.p2n`);
  if (near !== undefined && far !== undefined && far[1] < near[0]) {
    claims.push({
      text:
        against(far, 0.5) === 'across'
          ? say`It follows the wording: the positive with different words (P2) beats the negative less often than the other positive (P1) does. For P2, its choices cannot be told from chance.`
          : say`It follows the wording: the positive with different words (P2) beats the negative less often than the other positive (P1) does.`,
      rule: say`The interval of ${`${id}.p2n`}, ${percents(far)}, lies below that of ${`${id}.p1n`}, ${percents(near)}.`,
    });
  }
  return claims;
}
