import assert from 'node:assert/strict';
import { type Engines, processesFor } from '../../../../src/evaluator/native/engines';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { bytesOf, cleanUp, open, valueOf } from '../fixtures';

const text = 'a cat and a dog';

function pidsOf(evaluator: Evaluator): number[] {
  return (evaluator as Evaluator & { engines: Engines }).engines.pids;
}

describe('several processes for one model', () => {
  afterEach(cleanUp);

  it('are as many as threads and weights allow', () => {
    const cpu = { precision: 'float32', provider: 'cpu' };
    assert.equal(processesFor(90 << 20, { ...cpu, threads: 1 }), 1);
    assert.equal(processesFor(90 << 20, { ...cpu, threads: 2 }), 2);
    assert.equal(processesFor(90 << 20, { ...cpu, threads: 16 }), 4);
    assert.equal(processesFor(190 << 20, { ...cpu, threads: 16 }), 2);
    assert.equal(processesFor(600 << 20, { ...cpu, threads: 16 }), 1);
    assert.equal(processesFor(1 << 10, { ...cpu, threads: 16, provider: 'cuda' }), 1);
  });

  it('start one by one with concurrent calls, and answer identically', async () => {
    const evaluator = await open('bert-cls', { threads: 2 });
    assert.equal(evaluator.parallel, 2);
    assert.deepEqual(pidsOf(evaluator), []);
    await evaluator.embedTexts!([text]);
    await evaluator.embedTexts!([text]);
    assert.equal(pidsOf(evaluator).length, 1);
    const answers = await Promise.all([1, 2, 3, 4].map(() => evaluator.embedTexts!([text])));
    assert.equal(pidsOf(evaluator).length, 2);
    assert.equal(new Set(answers.map(([row]) => bytesOf(valueOf(row)))).size, 1);
  });

  it('fail separately: calls of the others continue', async () => {
    const evaluator = await open('bert-cls', { threads: 2 });
    await Promise.all([1, 2].map(() => evaluator.embedTexts!([text])));
    const [first] = pidsOf(evaluator);
    const calls = [1, 2].map(() => evaluator.embedTexts!(new Array<string>(20_000).fill(text)));
    process.kill(first, 'SIGKILL');
    const outcomes = await Promise.allSettled(calls);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('all end when the evaluator is closed', async () => {
    const evaluator = await open('bert-cls', { threads: 2 });
    await Promise.all([1, 2].map(() => evaluator.embedTexts!([text])));
    const pids = pidsOf(evaluator);
    assert.equal(pids.length, 2);
    await evaluator.close();
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});
