/** The smallest change in percent that the invariance paper calls meaningful in practice. */
export const largeChange = 6;

/** Scores below this size have no change in percent. */
export const leastScore = 1e-6;

/** A score's change in percent. Null if the score before the change is too close to zero. */
export function changeOf(score: number, against: number): number | null {
  return Math.abs(against) < leastScore ? null : (100 * (score - against)) / Math.abs(against);
}

/**
 * The smallest change in spreads of the evaluator that counts as large. With the bundled encoder and photos, about as many
 * captions change by this much as by 6 %.
 */
export const largeInSpreads = 0.2;

/** The size of a change in spreads, as text. It is rounded down, so that a small change does not show the limit itself. */
export function inSpreads(delta: number, spread: number): string {
  return `${(Math.floor(100 * Math.abs(delta / spread) + 1e-9) / 100).toFixed(2)} SD`;
}

/** Whether a score changes by much: in spreads, an equal limit for all evaluators; else in percent. */
export function isLargeChange(delta: number, change: number | null, spread: number | undefined): boolean {
  return spread === undefined
    ? change !== null && Math.abs(change) >= largeChange
    : Math.abs(delta) >= largeInSpreads * spread;
}
