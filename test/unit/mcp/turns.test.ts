import assert from 'node:assert/strict';
import { Turns } from '../../../src/mcp/turns';
import { turns as eventTurns } from '../../until';

describe('calls in turns', () => {
  const never = new AbortController().signal;
  /** Work that ends on request. */
  function work(): { run: () => Promise<void>; end: () => void; started: () => boolean } {
    let isStarted = false;
    let end: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => (end = resolve));
    const run = (): Promise<void> => {
      isStarted = true;
      return promise;
    };
    return { run, end, started: () => isStarted };
  }

  it('run at most as many as allowed, the others in their order', async () => {
    const turns = new Turns(2, 10);
    const all = [work(), work(), work(), work()];
    const done = all.map(({ run }) => turns.run(run, never));
    await eventTurns(2);
    assert.deepEqual(
      all.map(({ started }) => started()),
      [true, true, false, false],
    );
    all[1].end();
    await done[1];
    await eventTurns(2);
    assert.deepEqual(
      all.map(({ started }) => started()),
      [true, true, true, false],
    );
    for (const { end } of all) end();
    await Promise.all(done);
  });

  it('are rejected if too many wait, and give up their place when cancelled', async () => {
    const turns = new Turns(1, 1);
    const [first, second, third] = [work(), work(), work()];
    const stop = new AbortController();
    const one = turns.run(first.run, never);
    const two = turns.run(second.run, stop.signal);
    await assert.rejects(turns.run(third.run, never));
    stop.abort();
    await assert.rejects(two);
    const three = turns.run(third.run, never);
    first.end();
    await one;
    await eventTurns(2);
    assert.ok(third.started() && !second.started());
    third.end();
    await three;
  });

  it('leave their place if they fail', async () => {
    const turns = new Turns(1, 0);
    await assert.rejects(turns.run(() => Promise.reject(new Error('no')), never));
    assert.equal(await turns.run(() => Promise.resolve(7), never), 7);
  });
});
