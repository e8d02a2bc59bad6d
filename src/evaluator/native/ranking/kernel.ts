import { readBoundedSync } from '../../../base/files/readFile';
import { join } from 'node:path';

/** The parts of WebAssembly that this file uses. Node's types do not declare them. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Kernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Omit<Kernel, 'memory'> };
};

/**
 * The inner loops over hundreds of millions of scores, in WebAssembly with 128-bit vectors. The build compiles
 * kernel.wat. They pay: `peaks` takes a twelfth of JavaScript's time, and `scan` and `dot` a quarter.
 */
export interface Kernel {
  memory: { readonly buffer: ArrayBuffer };
  /**
   * Writes to `peaks` the greatest float32 of every `width` bytes between `at` and `end`, ignoring NaN. The
   * last part may be shorter; `width` and `end − at` are multiples of 16.
   */
  peaks(at: number, end: number, width: number, peaks: number): void;
  /**
   * Counts the float32 numbers above `high`. Writes to `near` how many groups of four contain a number above `low`
   * but not above `high`, and then the groups' addresses. `end − at` is a positive multiple of 16.
   */
  scan(at: number, end: number, low: number, high: number, near: number): number;
  /**
   * The dot product of two vectors of float32 numbers, in four float64 partial sums. One vector is between `at` and
   * `end`, the other starts at `other` and is equally long.
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
