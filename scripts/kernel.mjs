// Compiles the WebAssembly text of the ranking to ranking.wasm in the folder of the bundles: `session.js` reads it there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

export const kernelSource = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'src/evaluator/native/ranking/kernel.wat',
);

export async function compileKernel(folder) {
  const tools = await wabt();
  const text = tools.parseWat('kernel.wat', readFileSync(kernelSource, 'utf8'), { simd: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ranking.wasm'), text.toBinary({}).buffer);
}
