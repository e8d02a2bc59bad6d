import { readBoundedSync } from '../../../base/files/readFile';
import { join } from 'node:path';

/** The parts used here; Node's types leave WebAssembly to the DOM library. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Kernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Omit<Kernel, 'memory'> };
};

/**
 * The tight loops over hundreds of millions of scores, as WebAssembly
 * with 128-bit vectors: kernel.wat, compiled by the build.
 */
export interface Kernel {
  memory: { readonly buffer: ArrayBuffer };
  /**
   * Writes to `peaks` the greatest float32 of each `width` bytes between `at` and `end`,
   * and of a shorter rest; NaN is ignored. `width` is a multiple of 16, too.
   */
  peaks(at: number, end: number, width: number, peaks: number): void;
  /**
   * Counts the float32 numbers between `at` and `end` above `high`. Writes to `near` a count and byte addresses of
   * the groups of four with a number above `low` but not `high`. `end − at` is a positive multiple of 16.
   */
  scan(at: number, end: number, low: number, high: number, near: number): number;
  /**
   * The float64 dot product of the float32 numbers between `at` and
   * `end` with those from `other`, in four partial sums.
   */
  dot(at: number, end: number, other: number): number;
}

export function createKernel(bytes: number): Kernel {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(compiled()), { host: { memory } });
  return { memory, ...exports };
}

function compiled(): Uint8Array {
  const folder = __filename.endsWith('.ts') ? join(__dirname, '../../../../dist') : __dirname;
  return readBoundedSync(join(folder, 'ranking.wasm'));
}
