/** The strata of a sample, from coarse (family) to fine. Strata with too few labels are pooled. */

/** A variant with its stratum as a path: family, kind and perhaps more. */
export interface Placed {
  path: readonly string[];
  label?: number;
  /** Whether another draw of a report has the same variant before. A person judges it once. */
  isRepeat?: boolean;
}

export interface Strata<T> {
  /** Variants with their strata, except families in `leftOut`. */
  placed: { unit: T; stratum: string }[];
  /** Families with fewer than two labels. */
  leftOut: string[];
  /** Strata whose parts were joined, because a part has fewer than two labels. */
  pooled: string[];
}

const leastLabels = 2;

export function stratumName(path: readonly string[]): string {
  return path.join('\u0000');
}

export function strataOf<T extends Placed>(units: readonly T[]): Strata<T> {
  const labels = new Map<string, number>();
  const parts = new Map<string, Set<string>>();
  for (const { path, label, isRepeat = false } of units)
    for (const depth of path.keys()) {
      const name = stratumName(path.slice(0, depth + 1));
      labels.set(name, (labels.get(name) ?? 0) + (label === undefined || isRepeat ? 0 : 1));
      const above = stratumName(path.slice(0, depth));
      parts.set(above, (parts.get(above) ?? new Set()).add(name));
    }
  const isFew = (name: string): boolean => (labels.get(name) ?? 0) < leastLabels;
  const pooled = new Set<string>();
  const stratumOf = (path: readonly string[]): string => {
    for (let depth = 1; depth < path.length; depth++) {
      const name = stratumName(path.slice(0, depth));
      if (![...(parts.get(name) ?? [])].some(isFew)) continue;
      pooled.add(path.slice(0, depth).join(', '));
      return name;
    }
    return stratumName(path);
  };
  const families = [...new Set(units.map(({ path }) => path[0]))];
  const leftOut = families.filter((family) => isFew(stratumName([family])));
  return {
    placed: units
      .filter(({ path }) => !leftOut.includes(path[0]))
      .map((unit) => ({ unit, stratum: stratumOf(unit.path) })),
    leftOut,
    pooled: [...pooled],
  };
}
