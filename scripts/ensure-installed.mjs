// Installs what package-lock.json names when node_modules is missing or older, so that one npm command is enough on a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!fresh) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci'], { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  process.exit(status ?? 1);
}
