import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const pythonFixtures = join(__dirname, '..', '..', 'fixtures', 'python');

const found = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'], {
  encoding: 'utf8',
});
export const hasPython = found.status === 0 && found.stdout.trim() === 'True';

/** Skips the suite if the PATH has no Python 3.9 or later. */
export function needsPython(suite: Mocha.Suite): void {
  if (hasPython) return;
  suite.title += ' (skipped: no python3 from 3.9 on the PATH)';
  suite.pending = true;
}
