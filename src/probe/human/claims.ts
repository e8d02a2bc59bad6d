import { inARow, say, type Words } from '../../base/say';
import { against, intervalOf, lies, percents, type Side } from '../claim';
import { adjustedTogether, isSupported, rateClaims, testOf, verdictLevel } from '../claimFamily';
import type { Metric, Claim } from '../metric';
import { kindColumns } from './row';

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
    ...byKind(metrics),
  ];
}

const standings: readonly { side: Side; words: (kinds: Words) => Words }[] = [
  { side: 'above', words: (of) => say('lgip.typeAboveChance', of) },
  { side: 'across', words: (of) => say('lgip.typeNotFromChance', of) },
  { side: 'below', words: (of) => say('lgip.typeBelowChance', of) },
];

/** The accuracy by kind of pair, if the dataset names the kinds: a rate over all kinds hides that some are much easier. */
function byKind(metrics: readonly Metric[]): Claim[] {
  const id = 'human.accuracy';
  const kinds = metrics.flatMap((metric) => {
    const [[column, kind] = [''], ...more] = Object.entries(metric.slice ?? {});
    const test = testOf(metrics, id, 0.5, metric.slice);
    return metric.id !== id || more.length > 0 || !kindColumns.test(column) || test === undefined
      ? []
      : [{ ...metric, ...test, column, kind: String(kind), ci: metric.ci! }];
  });
  return [...new Set(kinds.map(({ column }) => column))].flatMap((column) => {
    const own = adjustedTogether(kinds.filter((one) => one.column === column)).map((one) => ({
      ...one,
      standing: isSupported(one) ? against(one.ci, 0.5) : 'across',
    }));
    if (own.length < 2) return [];
    const said = standings.flatMap(({ side, words }) => {
      const names = own.flatMap(({ standing, kind }) => (standing === side ? [kind] : []));
      return names.length === 0 ? [] : [words(inARow(names, ', '))];
    });
    const intervals = own.map(({ kind, ci }) => inARow([kind, percents(ci)], ' '));
    const rule = say('human.kindsRule', id, column, inARow(intervals, ', '));
    return [
      {
        text: say('human.preferencesByKind', column, inARow(said, '; ')),
        rule: say('lgip.typesRule', rule, verdictLevel, own.length),
      },
    ];
  });
}
