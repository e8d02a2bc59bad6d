import { readBoundedSync } from '../../../base/files/readFile';
import { join } from 'node:path';

/** The used parts. Node.js's types do not declare WebAssembly, but the DOM library does. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Kernel['memory'];
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Omit<Kernel, 'memory'> };
};

/**
 * The inner loops over hundreds of millions of scores, in WebAssembly with 128-bit vectors. The build
 * compiles kernel.wat.
 */
export interface Kernel {
  memory: { readonly buffer: ArrayBuffer };
  /**
   * Writes to `peaks` the greatest float32 of every `width` bytes between `at` and `end`, ignoring NaN. The
   * last part may be shorter; `width` and `end − at` are multiples of 16.
   */
  peaks(at: number, end: number, width: number, peaks: number): void;
  /**
   * Counts the float32 numbers above `high` in `at`–`end`, a positive multiple of 16 bytes. Writes to `near`
   * a count and the addresses of groups of four with a number above `low` but not `high`.
   */
  scan(at: number, end: number, low: number, high: number, near: number): number;
  /**
   * The float64 dot product, in four partial sums, of the float32 numbers between `at` and `end` and those
   * from `other`.
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
