import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import type { Report } from '../../../src/report/report';
import { cleanUp, scratch } from '../evaluator/fixtures';
import { needsPython, pythonFixtures } from '../evaluator/pythonFixtures';

/** Audits with each evaluator. Returns the reports. */
async function reportsOf(evaluators: readonly string[], home: string): Promise<Report[]> {
  const written = await runAudit({
    dataset: 'samples/captions.json',
    probes: ['lgip'],
    evaluators,
    images: ['samples/images'],
    limit: 12,
    home,
    out: scratch(),
    signal: new AbortController().signal,
  });
  return written.map(({ report }) => report);
}

describe('the test of an evaluator before a run', function () {
  needsPython(this);
  this.timeout(120_000);
  afterEach(cleanUp);
  const python = (object: string): string => `python:${join(pythonFixtures, 'hashing.py')}:${object}`;

  it('names scores that are constant, that change by themselves and that depend on the batch', async () => {
    const [steady, constant, byChance, byBatch] = await reportsOf(
      ['Pairs', 'Constant', 'ByChance', 'ByBatch'].map(python),
      scratch(),
    );
    assert.deepEqual(steady.repeat, { pairs: 50, constant: false });
    assert.deepEqual(constant.repeat, { pairs: 50, constant: true });
    assert.equal(byChance.repeat?.changed, 'by chance');
    assert.equal(byBatch.repeat?.changed, 'by batch');
    assert.ok(byBatch.repeat.largest! > 0.9);
    // A constant score supports no other verdict.
    assert.equal(constant.claims.length, 1);
    assert.match(constant.claims[0].text, /same score/);
    assert.match(byChance.claims[0].text, /scored again/);
    assert.match(byBatch.claims[0].text, /batch/);
    assert.ok(steady.claims.every(({ text }) => !/same score|scored again|batch/.test(text)));
  });

  it('finds an encoder steady, also with the scores in the store', async () => {
    const home = scratch();
    const [first] = await reportsOf(['starter'], home);
    assert.deepEqual(first.repeat, { pairs: 50, constant: false });
    const [second] = await reportsOf(['starter'], home);
    assert.deepEqual(second.repeat, first.repeat);
  });
});
