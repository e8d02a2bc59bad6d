// Compiles the ranking's WebAssembly text to ranking.wasm next to the bundles, where `session.js` loads it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';
import { writeChanged } from './write-changed.mjs';

export const kernelSource = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'src/evaluator/native/ranking/kernel.wat',
);

export async function compileKernel(folder) {
  const tools = await wabt();
  const text = tools.parseWat('kernel.wat', readFileSync(kernelSource, 'utf8'), { simd: true });
  writeChanged(join(folder, 'ranking.wasm'), text.toBinary({}).buffer);
}
