/* npm run test:python: sets up its own Python environment, which git ignores, and runs the tests that need torch. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const windows = process.platform === 'win32';
const environment = join(root, '.cache', 'python');
const own = join(environment, windows ? 'Scripts/python.exe' : 'bin/python');

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (process.env.CAPTIOUS_TEST_PYTHON === undefined && !existsSync(join(environment, 'complete'))) {
  run(windows ? 'py' : 'python3', '-m', 'venv', environment);
  run(own, '-m', 'pip', 'install', '--quiet', '-r', join(here, 'requirements.txt'));
  run(own, '-c', `open(r"${join(environment, 'complete')}", "w").close()`);
}
run(
  process.execPath,
  join(root, 'node_modules/mocha/bin/mocha.js'),
  '--no-parallel',
  'test/python/*.test.ts',
);
