/** A p value for display, such as "0.0123" or "1.2e-7". It is never "0.0000". */
export function pValueText(p: number): string {
  if (p >= 0.001) return p.toFixed(4);
  return p < 1e-300 ? '< 1e-300' : p.toExponential(1);
}

/** Formats a p value with its name: "p = 0.0123" or "p < 1e-300". */
export function pEquals(p: number): string {
  const text = pValueText(p);
  return text.startsWith('<') ? `p ${text}` : `p = ${text}`;
}

/** Whether a metric is a p value, by its id. `.between` tests whether the words of a family differ. */
export function isPValue(id: string): boolean {
  return /\.(p|between)$/.test(id);
}

/** The fewest and the most decimals of a metric. */
const fewest = 4;
export const mostDecimals = 10;

/**
 * The number of decimals at which a width, such as an interval's, has two significant digits; at least `least`.
 * Undefined if these are too many decimals, so that an exponent is easier to read.
 */
export function decimalsFor(width: number, least = fewest): number | undefined {
  if (!Number.isFinite(width) || width === 0) return least;
  const needed = 1 - Math.floor(Math.log10(Math.abs(width)));
  return needed > mostDecimals ? undefined : Math.max(least, needed);
}

/**
 * The value of a metric, or an end of its interval, for display: four decimals, or more if the interval (without one, the
 * value) needs more for two significant digits. So a small score is never "0.0000".
 */
export function metricText(id: string, value: number, ci?: readonly [number, number]): string {
  return isPValue(id) ? pValueText(value) : scoreText(value, ci);
}

/** A number for display, with the decimals that its interval needs. */
export function scoreText(value: number, ci?: readonly [number, number], least = fewest): string {
  const width = ci === undefined || ci[0] === ci[1] ? value : ci[1] - ci[0];
  // The rounding error of a difference is no small score.
  if (Math.abs(width) < 1e-15) return Math.abs(value) < 1e-15 ? (0).toFixed(least) : value.toFixed(least);
  const decimals = decimalsFor(width, least);
  return decimals === undefined ? value.toExponential(1) : value.toFixed(decimals);
}

/**
 * The decimals of a number in little space: `digits`, or as many as `scoreText` has if the number would be shown as zero,
 * or the ends of its interval as equal.
 */
export function shortDecimals(
  value: number,
  ci: readonly [number, number] | undefined,
  digits: number,
): number | undefined {
  const unit = 10 ** -digits;
  const width = ci === undefined ? undefined : ci[1] - ci[0];
  const isLost = Math.abs(value) >= 1e-15 && Math.abs(value) < unit / 2;
  const isNarrow = width !== undefined && width > 0 && width < unit;
  return isLost || isNarrow
    ? decimalsFor(width === undefined || width === 0 ? value : width, digits)
    : digits;
}

/** A number in little space, usually with three decimals. */
export function shortText(value: number, ci?: readonly [number, number]): string {
  const decimals = shortDecimals(value, ci, 3);
  return decimals === undefined ? value.toExponential(1) : value.toFixed(decimals);
}
