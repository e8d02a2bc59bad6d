import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A section throws this error if it needs something that the machine lacks. The page names what is missing. */
export class Skipped extends Error {}

const look = 'import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))';

/** The first Python that has all these modules. */
export function pythonWith(...modules: string[]): string {
  const asked = [process.env.CAPTIOUS_TEST_PYTHON, process.env.CAPTIOUS_PYTHON];
  const own = ['.cache/python/bin/python', '.venv/bin/python'].map((path) => resolve(path));
  const found = [...asked, ...own.filter(existsSync), 'python3'].find(
    (python) =>
      python !== undefined && python !== '' && spawnSync(python, ['-c', look, ...modules]).status === 0,
  );
  if (found !== undefined) return found;
  throw new Skipped(
    `neither CAPTIOUS_TEST_PYTHON, .cache/python (npm run test:python makes it), .venv nor python3 is a Python with ${modules.join(' and ')}`,
  );
}
