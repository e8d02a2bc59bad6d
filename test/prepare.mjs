// Generates files that tests need and git does not track: compiled WebAssembly, a copy of WordNet,
// and whole tokenizers. Mocha loads this file before any test.
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileKernels, kernels } from '../scripts/compile-kernel.mjs';
import { writeChanged } from '../scripts/write-changed.mjs';

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

const models = join(dirname(fileURLToPath(import.meta.url)), 'fixtures', 'models');

// A `tokenizer.like.json` names the folder of another tokenizer as `like`, and contains only the differences.
for (const name of readdirSync(models)) {
  const part = join(models, name, 'tokenizer.like.json');
  if (!existsSync(part)) continue;
  const { like, model, ...others } = JSON.parse(readFileSync(part, 'utf8'));
  const whole = JSON.parse(readFileSync(join(models, like, 'tokenizer.json'), 'utf8'));
  const text = JSON.stringify({ ...whole, ...others, model: { ...whole.model, ...model } }, null, 2);
  const path = join(models, name, 'tokenizer.json');
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  // Written under a temporary name and renamed, because several test runs may write at once.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
