// Compiles WebAssembly text to files next to the bundles, where `session.js` and `prepare.js` load them.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';
import { writeChanged } from './write-changed.mjs';

const native = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/evaluator/native');

/** The path of each kernel's source, by the name of the compiled file. */
export const kernels = {
  'ranking.wasm': join(native, 'ranking/kernel.wat'),
  'pixels.wasm': join(native, 'images/pixels.wat'),
};

export async function compileKernels(folder) {
  const tools = await wabt();
  for (const [name, source] of Object.entries(kernels)) {
    const text = tools.parseWat(basename(source), readFileSync(source, 'utf8'), { simd: true });
    writeChanged(join(folder, name), text.toBinary({}).buffer);
  }
}
