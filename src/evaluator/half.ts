/** Converts the 16-bit floats of models and servers to float32 and back. */

const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);

export function floatsOf(halves: Uint16Array): Float32Array {
  const out = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) out[i] = floatOf(halves[i]);
  return out;
}

export function floatOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Rounds each float to the nearest 16-bit float. A tie goes to the even fraction. */
export function halvesOf(floats: Float32Array): Uint16Array {
  const out = new Uint16Array(floats.length);
  for (let i = 0; i < floats.length; i++) out[i] = halfOf(floats[i]);
  return out;
}

function halfOf(value: number): number {
  asFloat[0] = value;
  const bits = asBits[0];
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  // The largest 16-bit float is 65504. Values that are at least half a step (16) larger become infinity.
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24);
  const exponent = (bits >>> 23) & 255;
  // A fraction that is rounded up to 1024 adds 1 to the exponent, which gives the right value.
  return sign | (((exponent - 112) << 10) + roundToEven((bits & 0x7fffff) / 8192));
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
