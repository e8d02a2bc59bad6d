// Generates files that tests need and git does not track: compiled WebAssembly, a copy of WordNet,
// and whole tokenizers. Mocha loads this file before any test.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileKernels, kernels } from '../scripts/compile-kernel.mjs';
import { writeChanged } from '../scripts/write-changed.mjs';
import './tokenizers.mjs';

// Tests must not read or write the real home folder.
if (!process.env.CAPTIOUS_HOME) {
  const home = mkdtempSync(join(tmpdir(), 'captious-home-'));
  process.env.CAPTIOUS_HOME = home;
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
}

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
const isOld = ([name, source]) => {
  const kernel = statSync(join(dist, name), { throwIfNoEntry: false });
  return kernel === undefined || kernel.mtimeMs < statSync(source).mtimeMs;
};
if (Object.entries(kernels).some(isOld)) await compileKernels(dist);

// The built session starts faster than the source, and is used if nothing has changed since the build.
const source = fileURLToPath(new URL('../src', import.meta.url));
const built = statSync(fileURLToPath(new URL('../out/built', import.meta.url)), { throwIfNoEntry: false });
const isOlder = (entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs < built.mtimeMs;
if (built !== undefined && readdirSync(source, { recursive: true, withFileTypes: true }).every(isOlder))
  process.env.CAPTIOUS_TEST_SESSION = join(dist, 'session.js');

const wordnet = new URL('../src/evaluator/overlap/meteor/wordnet.json', import.meta.url);
writeChanged(join(dist, 'wordnet.json'), readFileSync(wordnet));
