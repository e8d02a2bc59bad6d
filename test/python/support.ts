import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '..', '..');
export const coco = resolve(root, '../shared/data/coco');

/** Whether the environment has torch. An environment that was made for the oracles may lack it. */
function hasTorch(environment: string): boolean {
  const lib = join(environment, 'lib');
  return (
    existsSync(lib) && readdirSync(lib).some((name) => existsSync(join(lib, name, 'site-packages/torch')))
  );
}

const environments = [join(root, '.cache/python'), join(root, '.venv')];
const found = environments.find(hasTorch);
/** CAPTIOUS_TEST_PYTHON, otherwise the Python of an environment with torch. Undefined if both are missing. */
export const python = process.env.CAPTIOUS_TEST_PYTHON ?? (found && join(found, 'bin/python'));

/** Environment variables that let Python import torchvision with another build of torch. */
export const environment = { PYTHONPATH: join(__dirname, 'site') };
Object.assign(process.env, environment);

/** Skips a suite if a required path is missing. */
export function needs(suite: Mocha.Suite, ...paths: (string | undefined)[]): void {
  const missing = paths.find((path) => path === undefined || !existsSync(path));
  if (paths.every((path) => path !== undefined && existsSync(path))) return;
  suite.title += ` (skipped: ${missing ?? 'a Python with torch'} is not there)`;
  suite.pending = true;
}
