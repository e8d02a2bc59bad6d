import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, type Side } from '../claim';
import { rateClaims } from '../claimFamily';
import type { Metric } from '../metric';
import type { Claim } from '../probe';

const ratings: Record<Side, Words> = {
  above: say`It gives higher scores to captions that people rate higher.`,
  across: say`The data do not show whether its scores agree with people's ratings.`,
  below: say`It gives lower scores to captions that people rate higher.`,
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
            rule: lies('human.tauB', `[${tau.map((end) => end.toFixed(3)).join(', ')}]`, side, say`zero`),
          },
        ]),
    ...rateClaims(metrics, [
      {
        id: 'human.accuracy',
        chance: 0.5,
        words: {
          above: say`More often than chance, it prefers the caption that is marked as preferred.`,
          across: say`Its preferences cannot be told from chance.`,
          below: say`Less often than chance, it prefers the caption that is marked as preferred.`,
        },
      },
      {
        id: 'human.foil',
        chance: 0.5,
        words: {
          above: say`More often than chance, it scores a caption higher than the same caption with an error.`,
          across: say`Its choices between a caption and the same caption with an error cannot be told from chance.`,
          below: say`More often than chance, it scores a caption with an error higher than the same caption without the error.`,
        },
      },
    ]),
  ];
}
