// Runs npm ci if node_modules is missing or outdated, so that one npm command is enough in a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
// If node_modules is a symbolic link to another checkout, npm ci would delete that checkout's packages.
const linked = existsSync('node_modules') && lstatSync('node_modules').isSymbolicLink();
if (!fresh && !linked) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci'], { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  process.exit(status ?? 1);
}
