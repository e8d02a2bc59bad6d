/** The cluster of each row. Numbers follow the names, so that the order of rows does not matter. */
export interface Clustering {
  of: Uint32Array;
  count: number;
}

export function numberClusters(names: ArrayLike<number | string>): Clustering {
  const distinct = new Map<number | string, number>();
  for (const name of Array.from(names)) distinct.set(name, 0);
  const ordered = [...distinct.keys()].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
  ordered.forEach((name, at) => distinct.set(name, at));
  return {
    of: Uint32Array.from({ length: names.length }, (_, i) => distinct.get(names[i])!),
    count: distinct.size,
  };
}

/** The rows of each cluster, sorted as in `order`. The rows of cluster c start at `start[c]`. */
export function membersOf(
  order: Uint32Array,
  { of, count }: Clustering,
): { start: Uint32Array; members: Uint32Array } {
  const start = new Uint32Array(count + 1);
  for (const cluster of of) start[cluster + 1]++;
  for (let c = 0; c < count; c++) start[c + 1] += start[c];
  const next = start.slice();
  const members = new Uint32Array(of.length);
  for (const row of order) members[next[of[row]]++] = row;
  return { start, members };
}

/** The values minus the mean of their cluster. */
export function centred(values: Float64Array, { of, count }: Clustering): Float64Array {
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const [row, value] of values.entries()) {
    sums[of[row]] += value;
    sizes[of[row]]++;
  }
  return values.map((value, row) => value - sums[of[row]] / sizes[of[row]]);
}
