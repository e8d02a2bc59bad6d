import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { needsPython, pythonFixtures } from '../../evaluator/pythonFixtures';

const main = join(__dirname, '../../../../src/cli/main.ts');

describe('captious python', function () {
  needsPython(this);
  this.timeout(60_000);

  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['--import', 'tsx', main, 'python', ...args], { encoding: 'utf8' });

  it('names the Python interpreter and its packages', () => {
    const { stdout, stderr, status } = run('--python', 'python3', '--json');
    assert.equal(status, 0, stderr);
    const said = JSON.parse(stdout) as {
      python: string;
      command: string;
      packages: Record<string, string | null>;
    };
    assert.match(said.python, /^3\.\d+/);
    assert.equal(said.command, 'python3');
    assert.ok('torch' in said.packages);
  });

  it('tries an evaluator on a sample', () => {
    const ref = `python:${join(pythonFixtures, 'hashing.py')}`;
    const { stdout, stderr, status } = run(ref, '--python', 'python3');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /hashes scores text-text, image-text, image-image/);
    assert.match(stdout, /image with "A black poodle is leashed to a bicycle\." +-?[01]\.\d{4}/);
  });

  it('fails with a remedy if there is no such Python', () => {
    const { stderr, status } = run('--python', './no/python');
    assert.equal(status, 2);
    assert.match(stderr, /Python cannot be started.*--python/s);
  });
});
