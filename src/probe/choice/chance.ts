import { valueIn } from '../../base/lists';
import { leadsOf, matchSize } from './decide';

/** The chance level of each metric: its average if scores are random and never tie. */
export interface Chances {
  /** The chance of choosing the right caption for an image. */
  accuracy: number;
  /** The chance of choosing the right image for a caption. */
  imageAccuracy: number;
  text: number;
  image: number;
  group: number;
  match: number;
}

/** All orders of the scores are enumerated only for examples with at most this many scores. */
const mostScores = 8;
const known = new Map<string, Partial<Chances>>();

/** The chance levels of an example. `rightOf` has the index of each caption's image, and -1 for a wrong caption. */
export function chancesOf(images: number, rightOf: readonly number[]): Partial<Chances> {
  const key = `${images}:${rightOf.join(',')}`;
  return valueIn(known, key, () => compute(images, rightOf));
}

function compute(images: number, rightOf: readonly number[]): Partial<Chances> {
  const captions = rightOf.length;
  const chances: Partial<Chances> = {};
  const asked = Array.from({ length: images }, (_, i) => rightOf.filter((own) => own === i).length).filter(
    (right) => right > 0 && right < captions,
  );
  if (asked.length > 0) {
    chances.accuracy = asked.reduce((sum, right) => sum + right / captions, 0) / asked.length;
    chances.text = asked.reduce((product, right) => product / binomial(captions, right), 1);
  }
  const finding = images < 2 ? 0 : rightOf.filter((own) => own >= 0).length;
  if (finding > 0) {
    chances.imageAccuracy = 1 / images;
    chances.image = images ** -finding;
  }
  const group = asked.length > 0 && finding > 0 ? groupChance(images, rightOf) : undefined;
  if (group !== undefined) chances.group = group;
  const ways = matchSize(images, rightOf);
  if (ways !== undefined) chances.match = 1 / ways;
  return chances;
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}

/**
 * The chance level of the group metric. For k images with one caption each, it is (k − 1)! / (2k − 1)!.
 * Otherwise, all orders of the scores are counted. Returns undefined if there are too many scores.
 */
function groupChance(images: number, rightOf: readonly number[]): number | undefined {
  if (images === rightOf.length && new Set(rightOf).size === images && !rightOf.includes(-1)) {
    let chance = 1;
    for (let i = images; i <= 2 * images - 1; i++) chance /= i;
    return chance;
  }
  const size = images * rightOf.length;
  if (size > mostScores) return undefined;
  let right = 0;
  let all = 0;
  for (const order of orders(Array.from({ length: size }, (_, i) => i))) {
    const scores = Array.from({ length: images }, (_, i) =>
      order.slice(i * rightOf.length, (i + 1) * rightOf.length),
    );
    all++;
    if ((leadsOf({ scores, rightOf }).group ?? 0) > 0) right++;
  }
  return right / all;
}

function* orders(left: readonly number[], taken: readonly number[] = []): Iterable<readonly number[]> {
  if (left.length === 0) yield taken;
  for (const [i, one] of left.entries()) yield* orders(left.toSpliced(i, 1), [...taken, one]);
}
