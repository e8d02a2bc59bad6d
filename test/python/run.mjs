/*
 * npm run test:python: runs the tests that need torch. Makes a Python environment if none is suitable.
 * npm run test:notebooks: runs those of the Python module in an environment with the libraries of notebooks, without torch.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const windows = process.platform === 'win32';
const isForNotebooks = process.argv[2] === 'notebooks';
const environment = join(root, '.cache', isForNotebooks ? 'notebooks' : 'python');
const requirements = isForNotebooks ? ['notebooks.txt'] : ['requirements.txt', 'notebooks.txt'];
const own = join(environment, windows ? 'Scripts/python.exe' : 'bin/python');

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether the repository's .venv has every package in the version of requirements.txt. */
function serves(python) {
  const check = `
import sys
from importlib.metadata import version
for line in open(sys.argv[1]):
    name, wanted = line.strip().split("==")
    assert version(name).split("+")[0] == wanted, name`;
  return spawnSync(python, ['-c', check, join(here, 'requirements.txt')]).status === 0;
}

const local = join(root, '.venv', windows ? 'Scripts/python.exe' : 'bin/python');
if (process.env.CAPTIOUS_TEST_PYTHON === undefined && !isForNotebooks && serves(local))
  process.env.CAPTIOUS_TEST_PYTHON = local;
if (process.env.CAPTIOUS_TEST_PYTHON === undefined && !existsSync(join(environment, 'complete'))) {
  run(windows ? 'py' : 'python3', '-m', 'venv', environment);
  run(own, '-m', 'pip', 'install', '--quiet', ...requirements.flatMap((name) => ['-r', join(here, name)]));
  run(own, '-c', `open(r"${join(environment, 'complete')}", "w").close()`);
}
if (isForNotebooks) process.env.CAPTIOUS_TEST_PYTHON ??= own;
run(
  process.execPath,
  join(root, 'node_modules/mocha/bin/mocha.js'),
  '--no-parallel',
  isForNotebooks ? 'test/python/api.test.ts' : 'test/python/*.test.ts',
);
