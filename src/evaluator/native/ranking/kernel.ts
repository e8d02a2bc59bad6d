import { readBoundedSync } from '../../../base/files/readFile';
import { join } from 'node:path';

/** As much of it as is used here; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Kernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Omit<Kernel, 'memory'> };
};

/**
 * Comparing is cheap and there are hundreds of millions of scores, so the tight loops are WebAssembly with
 * 128-bit vectors: kernel.wat, which the build compiles.
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
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(compiled()), { host: { memory } });
  return { memory, ...exports };
}

function compiled(): Uint8Array {
  const folder = __filename.endsWith('.ts') ? join(__dirname, '../../../../dist') : __dirname;
  return readBoundedSync(join(folder, 'ranking.wasm'));
}
