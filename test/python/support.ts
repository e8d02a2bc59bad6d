import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '..', '..');
export const coco = resolve(root, '../shared/data/coco');

/** The interpreter that test/python/run.mjs sets up, or the one in the variable. */
export const python =
  process.env.CAPTIOUS_TEST_PYTHON ??
  [join(root, '.cache/python/bin/python'), join(root, '.venv/bin/python')].find(existsSync);

/** Lets torchvision work with a torch that it was not built for. */
export const environment = { PYTHONPATH: join(__dirname, 'site') };
Object.assign(process.env, environment);

/** Skips a suite with a message if a path that it needs is missing. */
export function needs(suite: Mocha.Suite, ...paths: (string | undefined)[]): void {
  const missing = paths.find((path) => path === undefined || !existsSync(path));
  if (paths.every((path) => path !== undefined && existsSync(path))) return;
  suite.title += ` (skipped: ${missing ?? 'a Python with torch'} is not there)`;
  suite.pending = true;
}
