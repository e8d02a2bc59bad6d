import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExperiment } from '../../../src/experiment/check';
import { planOf } from '../../../src/experiment/plan';
import { cellsOf, runExperiment } from '../../../src/experiment/run';
import { needsPython } from '../evaluator/pythonFixtures';

describe('consent to the runs of an experiment', function () {
  needsPython(this);
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'captious-consent-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is asked for once for each evaluator if it is declined, and for all datasets', async () => {
    const triplet = { image: 'a.jpg', caption: 'a dog', caption2: 'one dog', negative: 'a cat' };
    const datasets = ['one.jsonl', 'two.jsonl', 'three.jsonl'];
    for (const name of datasets) writeFileSync(join(folder, name), JSON.stringify(triplet));
    for (const name of ['first.py', 'second.py'])
      writeFileSync(join(folder, name), 'def embed_texts(texts):\n    return [[1.0, 2.0] for _ in texts]\n');
    const file = join(folder, 'captious.json');
    writeFileSync(
      file,
      JSON.stringify({
        ...{ datasets, probes: ['visla'], out: 'reports' },
        evaluators: ['python:./first.py', 'python:./second.py'],
      }),
    );
    const home = join(folder, 'home');
    const plan = await planOf(await readExperiment(file), undefined, home);
    const cells = cellsOf(plan);
    const asked: string[] = [];
    await runExperiment(
      {
        ...{ plan, home, signal: new AbortController().signal },
        consent: (_terms, _runs, endpoint) => {
          asked.push(endpoint);
          return Promise.resolve(false);
        },
      },
      cells,
    );
    assert.deepEqual(
      cells.map(({ state }) => state),
      Array<string>(6).fill('failed'),
    );
    assert.equal(asked.length, 2);
    assert.equal(new Set(asked).size, 2);
  });
});
