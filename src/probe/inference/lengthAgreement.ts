/* What scores and people's ratings owe to the length of captions, and what agreement is left without it. */
import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { association, type Association } from '../../stats/agreement/association';
import { associationDifference, associationInterval, endsOf } from '../../stats/agreement/paired';
import { partialAssociation, partialScales } from '../../stats/agreement/partial';
import type { Clustering } from '../../stats/clustering';
import { isDefined, type Outcome } from '../../stats/outcome';
import type { Metric, Slice } from '../metric';
import { intervalSeed, tooFewImages } from './interval';

/** A caption's words, as `lengthAgreement` counts them. */
export function wordCount(text: string): number {
  return text.trim().split(/\s+/).length;
}

export function* associationOf(...of: Parameters<typeof association>): Steps<ReturnType<typeof association>> {
  yield;
  const found = association(...of);
  yield;
  return found;
}

/** An agreement over `n` captions of so many images as a metric, with its interval over images. */
export function associationMetric(
  id: string,
  found: Outcome<Association>,
  n: number,
  images: number,
  slice?: Slice,
): Metric {
  const metric: Metric = {
    ...{ id, value: null, n },
    ...(images < n ? { images } : {}),
    ...(slice === undefined ? {} : { slice }),
  };
  if (!isDefined(found)) return { ...metric, note: say('human.correlationUndefined', found.reason) };
  const interval = tooFewImages(images) ?? associationInterval(found);
  const ends = endsOf(interval);
  return {
    ...metric,
    value: found.value,
    ...(ends === undefined ? {} : { ci: ends }),
    ...(isDefined(interval) ? {} : { note: say('probe.noInterval', interval.reason) }),
  };
}

interface Rated {
  scores: readonly number[];
  ratings: readonly number[];
  words: readonly number[];
  clusters: Clustering;
}

/**
 * Kendall's τ-b of scores and ratings with the number of words held constant, τ-b of each with the number of words, and the
 * difference of these two: how much more the evaluator prefers long captions than people do.
 */
export function* lengthAgreement(
  probe: string,
  { scores, ratings, words, clusters }: Rated,
): Steps<Metric[]> {
  const [n, images] = [scores.length, clusters.count];
  const agreement = yield* associationOf('tauB', ratings, scores, clusters);
  const ofScores = yield* associationOf('tauB', words, scores, clusters);
  const ofPeople = yield* associationOf('tauB', words, ratings, clusters);
  const partial = (scale: keyof typeof partialScales): Outcome<Association> =>
    partialAssociation(agreement, ofScores, ofPeople, partialScales[scale]);
  return [
    associationMetric(`${probe}.tauB.length`, partial('own'), n, images),
    associationMetric(`${probe}.tauB.length.normal`, partial('normal'), n, images),
    associationMetric(`${probe}.length.scores`, ofScores, n, images),
    associationMetric(`${probe}.length.people`, ofPeople, n, images),
    ...(yield* preferenceOverPeople(`${probe}.length.overPeople`, ofScores, ofPeople, n, images)),
  ];
}

function* preferenceOverPeople(
  id: string,
  ofScores: Outcome<Association>,
  ofPeople: Outcome<Association>,
  n: number,
  images: number,
): Steps<Metric[]> {
  const shared = { n, ...(images < n ? { images } : {}) };
  if (!isDefined(ofScores) || !isDefined(ofPeople)) return [];
  const value = ofScores.value - ofPeople.value;
  const few = tooFewImages(images);
  const test = few ?? (yield* associationDifference(ofScores, ofPeople, { seed: intervalSeed }));
  if (!isDefined(test)) return [{ id, value, ...shared, note: say('probe.noInterval', test.reason) }];
  return [
    { id, value, ...shared, ci: [test.low, test.high] },
    { id: `${id}.p`, value: test.pValue, ...shared },
  ];
}
