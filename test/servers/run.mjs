/*
 * npm run test:servers: sets up servers that others wrote, each in a separate Python environment that git
 * ignores, and audits with them. A server that cannot be installed is skipped, and the output says so. The
 * option -- --build also installs llama-cpp-python, which pip compiles for half an hour.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const environments = join(root, '.cache', 'servers');
const requirements = JSON.parse(readFileSync(join(here, 'requirements.json'), 'utf8'));
const build = process.argv.includes('--build');

function run(command, ...args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** A Python with a shared library, which Triton's processes load. Some builds of Python have none. */
const sharedPython = ['python3', '/usr/bin/python3'].find((python) => {
  const code = 'import sysconfig; raise SystemExit(not sysconfig.get_config_var("Py_ENABLE_SHARED"))';
  return spawnSync(python, ['-c', code]).status === 0;
});

/** Completes an environment. Returns why that failed; undefined if the environment is complete. */
function whyNot(name, packages) {
  const folder = join(environments, name);
  const complete = join(folder, 'complete');
  const wanted = packages.join('\n');
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) return undefined;
  if (name === 'llama' && !build)
    return 'llama-cpp-python must be compiled, which takes half an hour. Run "npm run test:servers -- --build" once';
  const python = name === 'triton' ? sharedPython : 'python3';
  if (python === undefined) return 'it needs a Python with a shared library, such as that of Debian';
  rmSync(folder, { recursive: true, force: true });
  const made =
    run(python, '-m', 'venv', '--without-pip', folder) &&
    run(
      ...['python3', '-m', 'pip', '--python', join(folder, 'bin', 'python')],
      ...['install', '--quiet', '--disable-pip-version-check', ...packages],
    );
  if (!made) return 'PyPI is out of reach or the packages cannot be installed';
  writeFileSync(complete, wanted);
  return undefined;
}

for (const [name, packages] of Object.entries(requirements)) {
  const reason = whyNot(name, packages);
  if (reason !== undefined) console.log(`${name}: skipped, because ${reason}.`);
}
process.exit(
  run(
    process.execPath,
    join(root, 'node_modules/mocha/bin/mocha.js'),
    '--no-parallel',
    'test/servers/*.test.ts',
  )
    ? 0
    : 1,
);
