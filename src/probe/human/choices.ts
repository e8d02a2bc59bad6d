import { say } from '../../base/say';
import { eachOf, type Steps } from '../../base/turns/steps';
import { largest } from '../../base/extent';
import { mean } from '../../stats/summary';
import { Clusters, Figure } from '../figure';
import { clusterOf, type Metric, type Slice } from '../metric';
import { groupsOf, systemGroups } from './groups';
import { type HumanRow, leadOf } from './row';

/** The share of draws of references in which the preferred caption scores higher. */
export function rightShare(row: HumanRow): number {
  return mean(row.scores.map((_, draw) => (leadOf(row, draw) > 0 ? 1 : 0)));
}

function* rate(
  id: string,
  rows: readonly HumanRow[],
  right: (row: HumanRow) => number,
  slice?: Slice,
): Steps<Metric> {
  const figure = new Figure();
  const clusters = new Clusters();
  for (const row of rows) {
    figure.add(right(row), clusters.of(clusterOf(row)));
    if (row.scores.some((_, draw) => leadOf(row, draw) === 0)) figure.ties++;
  }
  yield;
  return yield* figure.metric(id, { rate: true, ...(slice === undefined ? {} : { slice }) });
}

/** The accuracy for pairs with a preferred caption (all, by slice, with ties), and voters' agreement. */
export function* accuracyMetrics(rows: readonly HumanRow[], exclude: readonly string[]): Steps<Metric[]> {
  const decided = rows.filter(({ preferred }) => preferred !== null);
  return [
    { ...(yield* rate('human.accuracy', decided, rightShare)), chance: 0.5 },
    ...(yield* withTies(rows, exclude)),
    ...(yield* voters(decided)),
    ...(yield* eachOf([...groupsOf(decided), ...systemGroups(decided)], function* ({ slice, rows: own }) {
      return { ...(yield* rate('human.accuracy', own, rightShare, slice)), chance: 0.5 };
    })),
  ];
}

/**
 * The accuracy, including pairs about which people were undecided. As in CapArena, equal scores are right for these
 * pairs, and pairs with excluded systems are skipped.
 */
function* withTies(rows: readonly HumanRow[], exclude: readonly string[]): Steps<Metric[]> {
  if (rows.every(({ preferred }) => preferred !== null)) return [];
  const own = rows.filter(({ systems = [] }) => !systems.some((system) => exclude.includes(system)));
  const metric = yield* rate('human.accuracy.withTies', own, (row) =>
    row.preferred === null
      ? mean(row.scores.map((_, draw) => (leadOf(row, draw) === 0 ? 1 : 0)))
      : rightShare(row),
  );
  return [
    own.length === rows.length
      ? metric
      : { ...metric, note: say('human.systemsExcluded', exclude.join(', ')) },
  ];
}

/** How often a voter agrees with the majority of the other voters. A tie among the other voters counts one half. */
function* voters(rows: readonly HumanRow[]): Steps<Metric[]> {
  const voted = rows.filter(({ votes }) => votes !== undefined && votes[0] + votes[1] > 1);
  if (voted.length === 0) return [];
  const agrees = ({ votes }: HumanRow): number => {
    const [a, b] = votes!;
    const other = (own: number, against: number): number =>
      own - 1 > against ? 1 : own - 1 === against ? 0.5 : 0;
    return (a * (a > 0 ? other(a, b) : 0) + b * (b > 0 ? other(b, a) : 0)) / (a + b);
  };
  return [yield* rate('human.ceiling.accuracy', voted, agrees)];
}

/**
 * How often a caption scores higher than its foil (the same caption with an error). The main metric uses the
 * largest number of references. If there are several numbers, each has a slice.
 */
export function* foilMetrics(rows: readonly HumanRow[]): Steps<Metric[]> {
  const arms = largest(rows.map(({ scores }) => scores.length));
  if (arms === 1) return [{ ...(yield* rate('human.foil', rows, rightShare)), chance: 0.5 }];
  const sliced = yield* eachOf(Array.from({ length: arms }), function* (_, arm): Steps<Metric> {
    const own = rows.flatMap(({ scores, references = [], ...row }) =>
      arm < scores.length ? [{ ...row, scores: [scores[arm]], references: [references[arm] ?? 0] }] : [],
    );
    const most = largest(own.map(({ references }) => references[0]));
    return { ...(yield* rate('human.foil', own, rightShare, { references: most })), chance: 0.5 };
  });
  const { slice, ...whole } = sliced.reduce((best, one) => (countIn(one) >= countIn(best) ? one : best));
  return [{ ...whole, note: say('human.referenceCount', String(slice?.references)) }, ...sliced];
}

function countIn({ slice }: Metric): number {
  return Number(slice?.references ?? 0);
}
