/** Indices by their keys, the smallest first; equal ones keep their order, so that the same keys always give the same. */
export function orderOf(key: Float64Array): Uint32Array<ArrayBuffer> {
  const { length } = key;
  // Key above index in one 64-bit number, so that the engine's own sort needs no comparison of ours and no list of objects.
  const packed = new BigUint64Array(length);
  const halves = new Uint32Array(packed.buffer);
  const single = new Float32Array(1);
  const bits = new Uint32Array(single.buffer);
  for (let at = 0; at < length; at++) {
    // Zero has one sign only.
    single[0] = key[at] + 0;
    halves[2 * at] = at;
    halves[2 * at + 1] = bits[0] >>> 31 === 1 ? ~bits[0] : bits[0] | 0x80000000;
  }
  packed.sort();
  const order = new Uint32Array(length);
  for (let at = 0; at < length; at++) order[at] = halves[2 * at];
  // What single precision cannot tell apart the keys themselves can.
  for (let from = 0; from < length;) {
    let to = from + 1;
    while (to < length && halves[2 * to + 1] === halves[2 * from + 1]) to++;
    const run = order.subarray(from, to);
    if (run.some((at) => key[at] !== key[run[0]])) run.sort((a, b) => key[a] - key[b] || a - b);
    from = to;
  }
  return order;
}
