// Writes out/vscodeignore for "npx vsce package": .vscodeignore with this platform's native code only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const every = 'node_modules/onnxruntime-node/bin/*/*/*/';
const lines = readFileSync(join(root, '.vscodeignore'), 'utf8');
if (lines.split(every).length !== 2) throw new Error(`.vscodeignore has no single line with ${every}`);
const own = `node_modules/onnxruntime-node/bin/*/${process.platform}/${process.arch}/`;
mkdirSync(join(root, 'out'), { recursive: true });
writeFileSync(join(root, 'out/vscodeignore'), lines.replace(every, own));
