/** The invariance paper calls a change of this many percent meaningful in practice. */
export const largeChange = 6;

/** Scores closer to zero than this have no change in percent. */
export const leastScore = 1e-6;

/** The change of a score in percent; null if the earlier score is too close to zero. */
export function changeOf(score: number, against: number): number | null {
  return Math.abs(against) < leastScore ? null : (100 * (score - against)) / Math.abs(against);
}
