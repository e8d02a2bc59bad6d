import assert from 'node:assert/strict';
import { join } from 'node:path';
import { scratchFolder } from '../../dataset/support';
import { needsPython, pythonFixtures } from '../../evaluator/pythonFixtures';
import { captious, type Ended } from '../captious';
import { saying, sentence } from '../../../sentence';

describe('captious python', function () {
  needsPython(this);
  this.timeout(60_000);
  const scratch = scratchFolder();
  const run = (...args: string[]): Promise<Ended> => captious(scratch.path, 'python', ...args);

  it('names the Python interpreter and its packages', async () => {
    const { out, err, code } = await run('--python', 'python3', '--json');
    assert.equal(code, 0, err);
    const said = JSON.parse(out) as {
      python: string;
      command: string;
      packages: Record<string, string | null>;
    };
    assert.match(said.python, /^3\.\d+/);
    assert.equal(said.command, 'python3');
    assert.ok('torch' in said.packages);
  });

  it('tries an evaluator on a sample', async () => {
    const ref = `python:${join(pythonFixtures, 'hashing.py')}`;
    const { out, err, code } = await run(ref, '--python', 'python3');
    assert.equal(code, 0, err);
    assert.match(out, /hashes scores text-text, image-text, image-image/);
    assert.match(out, /image with "A black poodle is leashed to a bicycle\." +-?[01]\.\d{4}/);
  });

  it('fails with a remedy if there is no such Python', async () => {
    const { err, code } = await run('--python', './no/python');
    assert.equal(code, 2);
    assert.match(err, saying('python.notStarted'));
    assert.ok(err.includes(sentence('python.nameOtherInterpreter')), err);
  });
});
