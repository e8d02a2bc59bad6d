/** The scores of the pairs with one cosine. */
interface Point {
  x: number;
  y: number;
  n: number;
}

/**
 * Scores as a monotone function of cosines, interpolated between the first `fitted` scores of B. Each of these is
 * interpolated without itself, because a function through all points would explain any scores.
 */
export function interpolated(cosines: Float64Array, target: readonly number[], fitted: number): Float64Array {
  const points = pointsOf(cosines, target, fitted);
  return cosines.map((x, i) => {
    const at = placeOf(points, x);
    const isKnown = points[at]?.x === x;
    if (isKnown && i >= fitted) return points[at].y;
    return between(points, at, isKnown ? at + 1 : at, x);
  });
}

/** Fewer different scores can be in order by chance. */
const leastLevels = 10;

/** Whether the scores of B rise with all cosines, or fall, apart from differences of at most `rounding`. */
export function isMonotone(cosines: Float64Array, target: readonly number[], rounding: number): boolean {
  const order = cosines.map((_, i) => i).sort((a, b) => cosines[a] - cosines[b]);
  let [rises, falls, last] = [0, 0, target[order[0]]];
  for (const i of order) {
    const step = target[i] - last;
    if (Math.abs(step) <= rounding) continue;
    if (step > 0) rises++;
    else falls++;
    if (rises > 0 && falls > 0) return false;
    last = target[i];
  }
  return rises + falls + 1 >= leastLevels;
}

/** The points in order, with the mean score of equal cosines. */
function pointsOf(cosines: Float64Array, target: readonly number[], count: number): Point[] {
  const order = cosines.subarray(0, count).map((_, i) => i);
  const points: Point[] = [];
  for (const i of order.sort((a, b) => cosines[a] - cosines[b])) {
    const last = points.at(-1);
    if (last?.x === cosines[i]) last.y += (target[i] - last.y) / ++last.n;
    else points.push({ x: cosines[i], y: target[i], n: 1 });
  }
  return points;
}

/** The place of the first point at or above x. */
function placeOf(points: readonly Point[], x: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** On the line through the points before `low` and from `high` on. Outside, the line leaves one point out, because neighbours may be close. */
function between(points: readonly Point[], low: number, high: number, x: number): number {
  if (points.length < 5) return NaN;
  const [a, b] =
    low === 0
      ? [points[high], points[high + 2]]
      : high === points.length
        ? [points[low - 3], points[low - 1]]
        : [points[low - 1], points[high]];
  return a.y + ((b.y - a.y) / (b.x - a.x)) * (x - a.x);
}
