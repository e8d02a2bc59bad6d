/** About how many lines a list shows at once. */
const screen = 12;
/** Wrong lines scale the bars down to this part of the scale of all lines. */
const leastPart = 0.1;

/**
 * The change that fills a bar: of the wrong lines if there are any, because these come first and right lines can change
 * by far more. Lines beyond it have full bars with a gap.
 */
export function reachOf(deltas: Float64Array, isWrong: (at: number) => boolean): number {
  const wrong = reachAmong(deltas, isWrong);
  const all = reachAmong(deltas, () => true);
  return wrong === 0 ? all : Math.max(wrong, leastPart * all);
}

/**
 * The largest absolute change, or that of the last line on the first screen (of short lists: of their first 5 %) if the
 * largest is over twice as much, because outliers must not scale all bars. 0 without changes.
 */
function reachAmong(deltas: Float64Array, isChosen: (at: number) => boolean): number {
  const top: number[] = [];
  let count = 0;
  for (let at = 0; at < deltas.length; at++) {
    const size = Math.abs(deltas[at]);
    if (Number.isNaN(size) || !isChosen(at)) continue;
    count++;
    if (top.length === screen && size <= top[screen - 1]) continue;
    if (top.length === screen) top.pop();
    top.splice(top.findLastIndex((other) => other >= size) + 1, 0, size);
  }
  if (count === 0) return 0;
  const usual = top[Math.min(screen - 1, Math.ceil(0.05 * (count - 1)))];
  return top[0] <= 2 * usual ? top[0] : usual;
}

/** After every score. In single precision, it is still a number. */
const afterAll = 1e30;

/**
 * The keys with those lines last that have neither a score nor a verdict. Beside scored lines, they would lie between
 * wrong and right ones.
 */
export function unscoredLast(
  key: Float64Array,
  delta: Float64Array,
  isUndecided: (at: number) => boolean,
): Float64Array {
  if (delta.every(isNaN)) return key;
  return key.map((value, at) => (isNaN(delta[at]) && isUndecided(at) ? afterAll : value));
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
