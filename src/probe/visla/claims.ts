import { against, intervalOf, percents, rateClaim } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

/** The chance level of ordering three captions correctly. */
const chance = 1 / 3;

export function vislaClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...setting(metrics, 'visla.t2t', 'From the captions alone'),
    ...setting(metrics, 'visla.i2t', 'With the image'),
  ];
}

function setting(metrics: readonly Metric[], id: string, where: string): Claim[] {
  const claims = rateClaim(metrics, id, chance, {
    above: `${where}, it distinguishes meaning from wording more often than chance.`,
    across: `${where}, its choices cannot be distinguished from chance.`,
    below: `${where}, it is worse than chance: wording counts more than meaning.`,
  });
  const near = intervalOf(metrics, `${id}.p1n`);
  const far = intervalOf(metrics, `${id}.p2n`);
  if (near !== undefined && far !== undefined && far[1] < near[0]) {
    const coin =
      against(far, 0.5) === 'across' ? ', where its choices cannot be distinguished from chance' : '';
    claims.push({
      text: `It follows the wording: it is right less often for the positive with different words${coin}.`,
      rule: `The interval of ${id}.p2n, ${percents(far)}, lies below that of ${id}.p1n, ${percents(near)}.`,
    });
  }
  return claims;
}
