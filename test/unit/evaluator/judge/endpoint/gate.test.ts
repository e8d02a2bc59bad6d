import assert from 'node:assert/strict';
import { Gate } from '../../../../../src/evaluator/judge/endpoint/gate';
import { turns } from '../../../../until';

/** Starts this many jobs. `finish` ends the oldest jobs. */
function jobsOf(
  gate: Gate,
  count: number,
): { running: () => number; finish: (many: number) => Promise<void> } {
  const open: (() => void)[] = [];
  for (let i = 0; i < count; i++) void gate.run(() => new Promise<void>((resolve) => open.push(resolve)));
  return {
    running: () => open.length,
    finish: async (many) => {
      for (const resolve of open.splice(0, many)) resolve();
      await turns(2);
    },
  };
}

describe('a gate for requests', () => {
  it('grows by one after as many answers as it allows, up to the limit', async () => {
    const jobs = jobsOf(new Gate(4, 2), 100);
    assert.equal(jobs.running(), 2);
    await jobs.finish(2);
    assert.equal(jobs.running(), 3);
    await jobs.finish(3);
    assert.equal(jobs.running(), 4);
    for (let i = 0; i < 5; i++) await jobs.finish(4);
    assert.equal(jobs.running(), 4);
  });

  it('halves once for all requests that were rejected together', async () => {
    const gate = new Gate(16);
    const jobs = jobsOf(gate, 100);
    assert.equal(jobs.running(), 16);
    for (let i = 0; i < 16; i++) gate.slower();
    await jobs.finish(16);
    assert.equal(jobs.running(), 8);
    gate.slower();
    await jobs.finish(8);
    assert.equal(jobs.running(), 4);
  });

  it('always lets one request through', async () => {
    const gate = new Gate(2);
    const jobs = jobsOf(gate, 10);
    for (let i = 0; i < 4; i++) {
      gate.slower();
      await jobs.finish(2);
      assert.ok(jobs.running() >= 1);
    }
  });
});
