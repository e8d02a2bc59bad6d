import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '..', '..');
export const coco = resolve(root, '../shared/data/coco');

/** Made by test/python/run.mjs, or named by the variable. */
export const python =
  process.env.CAPTIOUS_TEST_PYTHON ??
  [join(root, '.cache/python/bin/python'), join(root, '.venv/bin/python')].find(existsSync);

/** For a torch and a torchvision that were not built for each other. */
export const environment = { PYTHONPATH: join(__dirname, 'site') };
Object.assign(process.env, environment);

/** Skips a suite, with a word, where something it needs is not there. */
export function needs(suite: Mocha.Suite, ...paths: (string | undefined)[]): void {
  const missing = paths.find((path) => path === undefined || !existsSync(path));
  if (paths.every((path) => path !== undefined && existsSync(path))) return;
  suite.title += ` (skipped: ${missing ?? 'a Python with torch'} is not there)`;
  suite.pending = true;
}
