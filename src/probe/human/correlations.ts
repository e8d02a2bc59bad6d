import { groupedBy } from '../../base/lists';
import { say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { smallest } from '../../base/extent';
import { association, meanAssociation, measures } from '../../stats/agreement/association';
import { associationDifference, williams } from '../../stats/agreement/paired';
import { calibrateTies, ordersAlike, type RatedPair } from '../../stats/agreement/ties';
import { isDefined } from '../../stats/outcome';
import { type Clustering, numberClusters } from '../../stats/clustering';
import { plainMean, shapeOf } from '../../stats/summary';
import { Clusters, Figure } from '../figure';
import { intervalSeed } from '../inference/interval';
import { associationMetric, associationOf, lengthAgreement, wordCount } from '../inference/lengthAgreement';
import { clusterOf, type Metric, type Slice } from '../metric';
import type { PairedTest } from '../probe';
import { groupsOf, systemGroups } from './groups';
import { type HumanRow, imageOf, scoreOf } from './row';

export function ratingOf({ ratings = [] }: HumanRow): number {
  return plainMean(ratings);
}

function clustersOf(rows: readonly HumanRow[]): Clustering {
  return numberClusters(rows.map(clusterOf));
}

/** Kendall's τ-b and τ-c, Spearman's ρ and Pearson's r of ratings and scores, for all captions and by slice. */
export function* correlationMetrics(rows: readonly HumanRow[]): Steps<Metric[]> {
  const bands = (['low', 'middle', 'high'] as const).map((band) => ({
    slice: { ratings: band },
    rows: rows.filter((row) => row.band === band),
  }));
  return [
    ...(yield* correlations(rows, '', ratingOf)),
    ...(yield* eachRating(rows)),
    ...(yield* ceiling(rows)),
    ...(yield* lengthAgreement('human', {
      scores: rows.map(scoreOf),
      ratings: rows.map(ratingOf),
      words: rows.map(({ captions }) => wordCount(captions[0])),
      clusters: clustersOf(rows),
    })),
    ...(yield* pairwise(rows)),
    ...(yield* allOf(
      [...bands, ...systemGroups(rows), ...groupsOf(rows)].filter(({ rows: own }) => own.length > 0),
      ({ slice, rows: own }) => correlations(own, '', ratingOf, slice),
    )),
  ];
}

function* correlations(
  rows: readonly HumanRow[],
  suffix: string,
  rating: (row: HumanRow) => number,
  slice?: Slice,
): Steps<Metric[]> {
  const clusters = clustersOf(rows);
  return yield* eachOf(measures, function* (measure): Steps<Metric> {
    const found = yield* associationOf(measure, rows.map(rating), rows.map(scoreOf), clusters);
    return associationMetric(`human.${measure}${suffix}`, found, rows.length, clusters.count, slice);
  });
}

/** Correlations with each person's rating as a separate observation, as in CLIPScore's script for Flickr8k. */
function* eachRating(rows: readonly HumanRow[]): Steps<Metric[]> {
  const each = rows.flatMap((row) => (row.ratings ?? []).map((rating) => ({ ...row, ratings: [rating] })));
  return each.length === rows.length ? [] : yield* correlations(each, '.each', ratingOf);
}

/** The human ceiling: how well one person's ratings agree with the mean of the other people's ratings. */
function* ceiling(rows: readonly HumanRow[]): Steps<Metric[]> {
  const several = rows.filter(({ ratings = [] }) => ratings.length > 1);
  if (several.length < 2) return [];
  const people = smallest(several.map(({ ratings = [] }) => ratings.length));
  const clusters = clustersOf(several);
  return yield* eachOf(measures, function* (measure): Steps<Metric> {
    const parts = yield* eachOf(Array.from({ length: people }), (_, person) =>
      associationOf(
        measure,
        several.map(({ ratings = [] }) => ratings[person]),
        several.map(({ ratings = [] }) => plainMean(ratings.filter((_one, i) => i !== person))),
        clusters,
      ),
    );
    return associationMetric(
      `human.ceiling.${measure}`,
      meanAssociation(parts),
      several.length,
      clusters.count,
    );
  });
}

/** How often the scores of two captions of an image have the same order as people's ratings. */
function* pairwise(rows: readonly HumanRow[]): Steps<Metric[]> {
  const pairs: (RatedPair & { cluster: number })[] = [];
  const clusters = new Clusters();
  for (const own of groupedBy(rows, imageOf).values()) {
    yield;
    const cluster = clusters.of(clusterOf(own[0]));
    own.forEach((a, i) => {
      for (const b of own.slice(i + 1))
        pairs.push({ metric: scoreOf(a) - scoreOf(b), people: ratingOf(a) - ratingOf(b), cluster });
    });
  }
  const calibrated = calibrateTies(pairs);
  if (!isDefined(calibrated)) return [];
  function* accuracy(id: string, epsilon: number): Steps<Metric> {
    yield;
    const figure = new Figure();
    for (const pair of pairs) {
      figure.add(ordersAlike(pair, epsilon) ? 1 : 0, pair.cluster);
      if (Math.abs(pair.metric) <= epsilon) figure.ties++;
    }
    return yield* figure.metric(id, { rate: true });
  }
  return [
    yield* accuracy('human.pairwise', 0),
    {
      ...(yield* accuracy('human.pairwise.calibrated', calibrated.epsilon)),
      note: say('human.tieThreshold', Number(calibrated.epsilon.toPrecision(4))),
    },
  ];
}

/** Paired tests of the difference between two evaluators' correlations: the second minus the first. */
export function* correlationTests(
  first: readonly HumanRow[],
  second: readonly HumanRow[],
): Steps<PairedTest[]> {
  const clusters = clustersOf(first);
  const people = first.map(ratingOf);
  return yield* allOf(measures, function* (measure): Steps<PairedTest[]> {
    const [a, b] = yield* eachOf([first, second], (rows) =>
      associationOf(measure, people, rows.map(scoreOf), clusters),
    );
    if (!isDefined(a) || !isDefined(b)) return [];
    const difference = yield* associationDifference(b, a, { seed: intervalSeed });
    if (!isDefined(difference)) return [];
    const { estimate, low, high, pValue } = difference;
    const williamsTest = measure === 'pearson' ? williamsOf(a.value, b.value, first, second) : undefined;
    return [
      {
        metric: `human.${measure}`,
        better: 'higher',
        n: first.length,
        images: clusters.count,
        difference: estimate,
        ci: [low, high],
        pValue,
        tests: { signs: pValue, ...(typeof williamsTest === 'number' ? { williams: williamsTest } : {}) },
        ...(williamsTest === undefined || typeof williamsTest === 'number'
          ? {}
          : { note: say('human.williamsLeftOut', williamsTest) }),
      },
    ];
  });
}

/** The p value of Williams' test, or why it is missing. It assumes independent captions, normal scores. */
function williamsOf(
  a: number,
  b: number,
  first: readonly HumanRow[],
  second: readonly HumanRow[],
): number | Words {
  if (clustersOf(first).count < first.length) return say('human.captionsShareImage');
  const scores = [first, second].map((rows) => rows.map(scoreOf));
  const unfit = notNormal(first.map(ratingOf), scores);
  if (unfit !== undefined) return unfit;
  const between = association('pearson', scores[0], scores[1]);
  const test = isDefined(between) ? williams(b, a, between.value, first.length) : between;
  return isDefined(test) ? test.pValue : test.reason;
}

/** Beyond these, Williams' test erred in up to 14 % instead of 5 % of simulations (docs/statistics.md). */
const limits = { ratings: 1, skewness: 0.5, kurtosis: [-0.8, 1] } as const;

/** Why ratings or scores are not normal enough for Williams' test; undefined if they are. */
export function notNormal(
  ratings: ArrayLike<number>,
  scores: readonly ArrayLike<number>[],
): Words | undefined {
  const { skewness: skewed } = shapeOf(ratings);
  if (Math.abs(skewed) > limits.ratings) return say('human.ratingsSkewed', skewed.toFixed(1), limits.ratings);
  const [least, most] = limits.kurtosis;
  for (const { skewness, kurtosis } of scores.map(shapeOf))
    if (Math.abs(skewness) > limits.skewness || kurtosis < least || kurtosis > most)
      return say(
        'human.scoresNotNormal',
        skewness.toFixed(1),
        limits.skewness,
        kurtosis.toFixed(1),
        least,
        most,
      );
  return undefined;
}
