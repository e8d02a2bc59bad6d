import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, type Side } from '../claim';
import { rateClaims } from '../claimFamily';
import type { Metric } from '../metric';
import type { Claim } from '../probe';

const ratings: Record<Side, Words> = {
  above: say('human.ratingsAboveZero'),
  across: say('human.ratingsUndecided'),
  below: say('human.ratingsBelowZero'),
};

export function humanClaims(metrics: readonly Metric[]): Claim[] {
  const tau = intervalOf(metrics, 'human.tauB');
  const side = tau && against(tau, 0);
  return [
    ...(tau === undefined || side === undefined
      ? []
      : [
          {
            text: ratings[side],
            rule: lies(
              'human.tauB',
              `[${tau.map((end) => end.toFixed(3)).join(', ')}]`,
              side,
              say('human.zero'),
            ),
          },
        ]),
    ...rateClaims(metrics, [
      {
        id: 'human.accuracy',
        chance: 0.5,
        words: {
          above: say('human.preferenceAboveChance'),
          across: say('human.preferenceNotFromChance'),
          below: say('human.preferenceBelowChance'),
        },
      },
      {
        id: 'human.foil',
        chance: 0.5,
        words: {
          above: say('human.foilAboveChance'),
          across: say('human.foilNotFromChance'),
          below: say('human.foilBelowChance'),
        },
      },
    ]),
  ];
}
