/** The number of table lines in the sample for a percentile. */
const sampled = 20_000;
/** Multiples of the golden ratio spread evenly. A fixed step could coincide with a period of the rows. */
const golden = (Math.sqrt(5) - 1) / 2;

/**
 * The largest absolute change, or the 95th percentile if the largest is over twice as much: outliers must not
 * scale all bars. 0 without changes. Uses a sample if the list is long.
 */
export function reachOf(deltas: Float64Array): number {
  const { length } = deltas;
  const at = (i: number) => (length <= sampled ? i : Math.floor(((i * golden) % 1) * length));
  const sizes = Float64Array.from({ length: Math.min(length, sampled) }, (_, i) => Math.abs(deltas[at(i)]))
    .filter((size) => !Number.isNaN(size))
    .sort();
  if (sizes.length === 0) return 0;
  const [usual, largest] = [sizes[Math.floor(0.95 * (sizes.length - 1))], sizes[sizes.length - 1]];
  return largest <= 2 * usual ? largest : usual;
}

/** About how many lines are sorted between two pauses. */
const piece = 1 << 16;

/** Indices in ascending order of their keys. The sort is stable. */
export function orderOf(key: Float64Array): Uint32Array<ArrayBuffer> {
  const steps = orderSteps(key);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** `orderOf` with pauses for other work. */
export function* orderSteps(key: Float64Array): Generator<undefined, Uint32Array<ArrayBuffer>> {
  const { length } = key;
  const { bits, starts } = yield* sortable(key);
  // Key and index share one 64-bit number, because the built-in sort then needs no comparator and no objects.
  const packed = new BigUint64Array(length);
  const halves = new Uint32Array(packed.buffer);
  const next = starts.slice();
  for (let at = 0; at < length; at++) {
    if (at % piece === piece - 1) yield;
    const to = next[bits[at] >>> 16]++;
    halves[2 * to] = at;
    halves[2 * to + 1] = bits[at];
  }
  for (let bucket = 0, from = 0; from < length; bucket++) {
    const to = next[bucket];
    if (to - from < piece && to < length) continue;
    packed.subarray(from, to).sort();
    from = to;
    yield;
  }
  const order = new Uint32Array(length);
  for (let at = 0; at < length; at++) order[at] = halves[2 * at];
  // Keys that are equal in single precision are sorted in double precision.
  for (let from = 0, rested = 0; from < length;) {
    let to = from + 1;
    while (to < length && halves[2 * to + 1] === halves[2 * from + 1]) to++;
    const run = order.subarray(from, to);
    if (run.some((at) => key[at] !== key[run[0]])) run.sort((a, b) => key[a] - key[b] || a - b);
    from = to;
    if (from - rested < piece) continue;
    rested = from;
    yield;
  }
  return order;
}

/**
 * Single-precision keys as unsigned integers that sort in the same order. For each value of the upper 16 bits,
 * `starts` has the sorted position of the first key.
 */
function* sortable(key: Float64Array): Generator<undefined, { bits: Uint32Array; starts: Uint32Array }> {
  const bits = new Uint32Array(key.length);
  const starts = new Uint32Array(1 << 16);
  const single = new Float32Array(1);
  const raw = new Uint32Array(single.buffer);
  for (let at = 0; at < key.length; at++) {
    if (at % piece === piece - 1) yield;
    // Adding 0 turns -0 into 0.
    single[0] = key[at] + 0;
    bits[at] = raw[0] >>> 31 === 1 ? ~raw[0] : raw[0] | 0x80000000;
    starts[bits[at] >>> 16]++;
  }
  for (let bucket = 0, sum = 0; bucket < starts.length; bucket++) {
    const own = starts[bucket];
    starts[bucket] = sum;
    sum += own;
  }
  return { bits, starts };
}
