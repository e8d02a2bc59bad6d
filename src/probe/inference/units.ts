/*
 * What counts as one observation of a changed word. A word has nearly the same effect on all images with one caption, so
 * tests and intervals of words also hold with one observation per caption.
 */
import { largest } from '../../base/extent';
import type { Steps } from '../../base/turns/steps';
import { say, type Words } from '../../base/say';
import { pEquals } from '../../base/pValue';
import { leastClusters } from '../../stats/decisions/smallSample';
import { isDefined, notDefined, type Outcome } from '../../stats/outcome';
import { plainMean } from '../../stats/summary';
import type { Metric } from '../metric';

/** The image of a change and, for a changed word, the caption without the word. */
export interface Observed {
  image: number | string;
  text?: string;
}

/** The image of each row and, if images share captions, its caption. */
export interface Units {
  images: readonly (number | string)[];
  texts?: readonly string[];
}

export function unitsOf(rows: readonly Observed[]): Units {
  const images = rows.map(({ image }) => image);
  const texts = rows.flatMap(({ text }) => text ?? []);
  if (texts.length < rows.length) return { images };
  const first = new Map(texts.map((text, i) => [text, images[i]]));
  return texts.some((text, i) => first.get(text) !== images[i]) ? { images, texts } : { images };
}

/** The numbers of images and of captions, each where it is smaller than what it is a part of. */
export function countsOf({ images: clusters, texts }: Units): Pick<Metric, 'images' | 'texts'> {
  const images = new Set(clusters).size;
  const captions = new Set(texts).size;
  return {
    ...(images < clusters.length ? { images } : {}),
    ...(texts !== undefined && captions < images ? { texts: captions } : {}),
  };
}

/** The mean of each image's (or caption's) values. */
export function meansBy(keys: readonly (number | string)[], values: ArrayLike<number>): Float64Array {
  const own = new Map<number | string, number[]>();
  for (const [i, key] of keys.entries()) own.set(key, [...(own.get(key) ?? []), values[i]]);
  return Float64Array.from(own.values(), (some) => (some.length === 1 ? some[0] : plainMean(some)));
}

/** A test with one observation per image or per caption. */
export interface UnitTest {
  observations: number;
  /** The sign of the effect. */
  side: number;
  pValue: number | null;
}

/** The larger p value, or 1 if the tests see effects of opposite signs. Null if one of them cannot be made. */
export function largerOf(tests: readonly UnitTest[]): number | null {
  const pValues = tests.flatMap(({ pValue }) => pValue ?? []);
  if (pValues.length < tests.length) return null;
  return tests.some(({ side }) => side * tests[0].side < 0) ? 1 : largest(pValues);
}

/** Why there is no test, or that it is the larger of two. Undefined if images alone count. */
export function unitWords([images, texts]: readonly (UnitTest | undefined)[]): Words | undefined {
  if (images === undefined || texts === undefined) return undefined;
  if (texts.observations < leastClusters) return say('invariance.testNeedsTexts', leastClusters);
  if (images.pValue === null || texts.pValue === null) return undefined;
  const [byImage, byText] = [images, texts].map(({ pValue }) => pEquals(pValue!));
  return say('invariance.largerOfUnits', images.observations, byImage, texts.observations, byText);
}

type Ends = Outcome<{ low: number; high: number }>;

/** An interval that contains those over images and over captions, if captions count. */
export function widerOf({ texts }: Units, byImage: Ends, byText: Ends | undefined): Ends {
  if (texts === undefined || !isDefined(byImage) || byText === undefined) return byImage;
  const captions = new Set(texts).size;
  if (captions < leastClusters) return notDefined(say('inference.tooFewTexts', captions, leastClusters));
  if (!isDefined(byText)) return byText;
  return { low: Math.min(byImage.low, byText.low), high: Math.max(byImage.high, byText.high) };
}

export function* unitInterval(
  units: Units,
  over: (clusters: readonly (number | string)[]) => Steps<Ends>,
): Steps<Ends> {
  const byImage = yield* over(units.images);
  return widerOf(units, byImage, units.texts && (yield* over(units.texts)));
}
