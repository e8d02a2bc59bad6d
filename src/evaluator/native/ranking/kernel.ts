/** As much of it as is used here; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};

/**
 * Comparing is cheap and there are hundreds of millions of scores, so the tight loops are WebAssembly with
 * 128-bit vectors, assembled here: JavaScript has no vectors, and a compiler for three loops would be one more tool.
 */
export interface Kernel {
  memory: { readonly buffer: ArrayBuffer };
  /**
   * Writes from `peaks` on the greatest float32 number of each `width` bytes from `at` up to `end`, of what is left at the
   * end; NaN is not seen. `width` is a multiple of 16, too.
   */
  peaks(at: number, end: number, width: number, peaks: number): void;
  /**
   * How many of the float32 numbers from `at` up to `end` are greater than `high`. At `near` it leaves a count, and
   * after it so many addresses: the groups of four with a number greater than `low` that is not greater than `high`.
   * Addresses are in bytes; `end − at` is a multiple of 16 and greater than 0.
   */
  scan(at: number, end: number, low: number, high: number, near: number): number;
  /** The product in float64 of the float32 numbers from `at` up to `end` and as many from `other`; in four sums. */
  dot(at: number, end: number, other: number): number;
}

export function createKernel(bytes: number): Kernel {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(assemble()), { host: { memory } });
  return { memory, ...(instance.exports as unknown as Pick<Kernel, 'peaks' | 'scan' | 'dot'>) };
}

type Code = readonly number[];

const i32 = 0x7f;
const f32 = 0x7d;
const f64 = 0x7c;
const v128 = 0x7b;

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
/** Up to 63. */
const number = (value: number): Code => [0x41, value];
const add: Code = [0x6a];
const subtract: Code = [0x6b];
const shiftLeft: Code = [0x74];
const shiftRight: Code = [0x76];
const store: Code = [0x36, 2, 0];
const loadFour: Code = [0xfd, 0x00, 2, 0];
const storeFloat: Code = [0x38, 2, 0];
const floatConstant = (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
const splat: Code = [0xfd, 0x13];
/** All bits of a lane, which is −1, where the left number is greater. */
const greaterThan: Code = [0xfd, 0x44];
const exclusiveOr: Code = [0xfd, 0x51];
const anyTrue: Code = [0xfd, 0x53];
/** The left numbers where they are not smaller, or the right is none. */
const greaterOfFour: Code = [0xfd, 0xeb, 0x01];
const laneOfFour = (at: number): Code => [0xfd, 0x1f, at];
const greater: Code = [0x97];
const less: Code = [0x49];
const select: Code = [0x1b];
const subtractFour: Code = [0xfd, 0xb1, 0x01];
/** The two float32 numbers at an address, so many bytes on, as float64. */
const loadTwo = (offset: number): Code => [0xfd, 0x5d, 2, offset, 0xfd, 0x5f];
const multiplyTwo: Code = [0xfd, 0xf2, 0x01];
const addTwo: Code = [0xfd, 0xf0, 0x01];
const laneOfTwo = (at: number): Code => [0xfd, 0x21, at];
const addDouble: Code = [0xa0];
const worker = (at: number): Code => [0xfd, 0x1b, at];
const loop: Code = [0x03, 0x40];
const end: Code = [0x0b];
/** Back to the start of the innermost loop where the number before is not zero. */
const again: Code = [0x0d, 0];
/** Steps 16 bytes on, and back to the start of the loop while the end is not reached. */
const advance = (at: number, last: number): Code => [
  ...[...get(at), ...number(16), ...add, ...tee(at)],
  ...[...get(last), ...less, ...again],
];

function peaksCode(): Code {
  const [at, last, width, peaks, stop, best] = [0, 1, 2, 3, 4, 5];
  return [
    ...loop,
    ...[...get(at), ...get(width), ...add, ...tee(stop), ...get(last)],
    ...[...get(stop), ...get(last), ...less, ...select, ...set(stop)],
    ...[...floatConstant(-Infinity), ...splat, ...set(best)],
    ...loop,
    ...[...get(best), ...get(at), ...loadFour, ...greaterOfFour, ...set(best)],
    ...advance(at, stop),
    ...end,
    ...[...get(peaks), ...get(best), ...laneOfFour(0), ...get(best), ...laneOfFour(1), ...greater],
    ...[
      ...get(best),
      ...laneOfFour(2),
      ...greater,
      ...get(best),
      ...laneOfFour(3),
      ...greater,
      ...storeFloat,
    ],
    ...[...get(peaks), ...number(4), ...add, ...set(peaks)],
    ...[...get(at), ...get(last), ...less, ...again],
    ...end,
  ];
}

function scanCode(): Code {
  const [at, last, low, high, near, next, lows, highs, counts, above, four] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  return [
    ...[...get(low), ...splat, ...set(lows)],
    ...[...get(high), ...splat, ...set(highs)],
    ...[...get(near), ...number(4), ...add, ...set(next)],
    ...loop,
    ...[...get(at), ...loadFour, ...tee(four), ...get(highs), ...greaterThan, ...set(above)],
    ...[...get(counts), ...get(above), ...subtractFour, ...set(counts)],
    // The address is written each time and kept by moving on: a branch would be guessed wrong too often.
    ...[...get(next), ...get(at), ...store],
    ...[...get(next), ...get(four), ...get(lows), ...greaterThan, ...get(above), ...exclusiveOr, ...anyTrue],
    ...[...number(2), ...shiftLeft, ...add, ...set(next)],
    ...advance(at, last),
    ...end,
    ...[...get(near), ...get(next), ...get(near), ...subtract, ...number(2), ...shiftRight],
    ...[...number(1), ...subtract, ...store],
    ...[...get(counts), ...worker(0), ...get(counts), ...worker(1), ...add],
    ...[...get(counts), ...worker(2), ...add, ...get(counts), ...worker(3), ...add],
  ];
}

function dotCode(): Code {
  const [at, last, other, even, odd] = [0, 1, 2, 3, 4];
  const product = (offset: number, sum: number): Code => [
    ...[...get(at), ...loadTwo(offset), ...get(other), ...loadTwo(offset), ...multiplyTwo],
    ...[...get(sum), ...addTwo, ...set(sum)],
  ];
  return [
    ...loop,
    ...[...product(0, even), ...product(8, odd)],
    ...[...get(other), ...number(16), ...add, ...set(other)],
    ...advance(at, last),
    ...end,
    ...[
      ...get(even),
      ...get(odd),
      ...addTwo,
      ...tee(even),
      ...laneOfTwo(0),
      ...get(even),
      ...laneOfTwo(1),
      ...addDouble,
    ],
  ];
}

function assemble(): Uint8Array {
  const types = [
    [0x60, 4, i32, i32, i32, i32, 0],
    [0x60, 5, i32, i32, f32, f32, i32, 1, i32],
    [0x60, 3, i32, i32, i32, 1, f64],
  ];
  const bodies = [
    [2, 1, i32, 1, v128, ...peaksCode()],
    [2, 1, i32, 5, v128, ...scanCode()],
    [1, 2, v128, ...dotCode()],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [[...name('host'), ...name('memory'), 2, 0, 0]]),
    ...section(3, [[0], [1], [2]]),
    ...section(
      7,
      ['peaks', 'scan', 'dot'].map((title, at) => [...name(title), 0, at]),
    ),
    ...section(
      10,
      bodies.map((body) => sized([...body, ...end])),
    ),
  ]);
}

function section(id: number, entries: readonly Code[]): Code {
  return [id, ...sized([entries.length, ...entries.flat()])];
}

function name(text: string): Code {
  return sized([...Buffer.from(text)]);
}

/** Its length, up to 16,383, and it. */
function sized(bytes: Code): Code {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length % 128) + 128, bytes.length >> 7];
  return [...length, ...bytes];
}
