// Generates the tokenizers of the test models that git does not track. The unit tests and the windows load this file.
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
