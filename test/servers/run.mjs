/*
 * npm run test:servers: sets up servers that others wrote, each in a separate Python environment that git
 * ignores, and audits with them. A server that cannot be installed is skipped, and the output says so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const environments = join(root, '.cache', 'servers');
const requirements = JSON.parse(readFileSync(join(here, 'requirements.json'), 'utf8'));

function run(command, ...args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

for (const [name, packages] of Object.entries(requirements)) {
  const folder = join(environments, name);
  const complete = join(folder, 'complete');
  const wanted = packages.join('\n');
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) continue;
  rmSync(folder, { recursive: true, force: true });
  const python = join(folder, 'bin', 'python');
  let made = run('python3', '-m', 'venv', folder);
  made &&= run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages);
  if (made) writeFileSync(complete, wanted);
  else console.log(`${name}: skipped, because PyPI is out of reach or the packages cannot be installed`);
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
