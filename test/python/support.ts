import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '..', '..');
export const coco = resolve(root, '../shared/data/coco');

/** Made by test/python/run.mjs, or set by the variable. */
export const python =
  process.env.CAPTIOUS_TEST_PYTHON ??
  [join(root, '.cache/python/bin/python'), join(root, '.venv/bin/python')].find(existsSync);

/** Supports a torchvision that was not built for the installed torch. */
export const environment = { PYTHONPATH: join(__dirname, 'site') };
Object.assign(process.env, environment);

/** Skips a suite with a message if something it needs is missing. */
export function needs(suite: Mocha.Suite, ...paths: (string | undefined)[]): void {
  const missing = paths.find((path) => path === undefined || !existsSync(path));
  if (paths.every((path) => path !== undefined && existsSync(path))) return;
  suite.title += ` (skipped: ${missing ?? 'a Python with torch'} is not there)`;
  suite.pending = true;
}
