import assert from 'node:assert/strict';
import type * as onDemand from '../../../src/editor/onDemand';
import { bundle } from './bundle';

class Disposable {
  constructor(readonly dispose: () => void) {}
}

const ticks = () => new Promise((resolve) => setImmediate(resolve));

describe('the tests of thresholds on demand', function () {
  this.timeout(60_000);
  let testsOnDemand: typeof onDemand.testsOnDemand;
  before(async () => {
    const load = await bundle<typeof onDemand>("export * from './src/editor/onDemand'");
    ({ testsOnDemand } = load({ Disposable }));
  });

  const opened = (load: () => Promise<Disposable>) => {
    const listeners = new Set<() => void>();
    const runs = {
      all: [] as { state: string }[],
      onDidChange: (hear: () => void) => {
        listeners.add(hear);
        return new Disposable(() => void listeners.delete(hear));
      },
    };
    const errors: string[] = [];
    const log = { error: (message: string) => void errors.push(message) };
    const tests = testsOnDemand(
      runs as unknown as Parameters<typeof testsOnDemand>[0],
      log as unknown as Parameters<typeof testsOnDemand>[1],
      load,
    );
    const become = async (...states: string[]) => {
      runs.all = states.map((state) => ({ state }));
      for (const hear of [...listeners]) hear();
      await ticks();
    };
    return { tests, become, errors, listeners };
  };

  it('load once, with the first run that is done, and end with the extension', async () => {
    const seen: string[] = [];
    const { tests, become, listeners } = opened(() => {
      seen.push('loaded');
      return Promise.resolve(new Disposable(() => void seen.push('ended')));
    });
    await become();
    await become('running', 'failed');
    assert.deepEqual(seen, []);
    await become('running', 'done');
    await become('done', 'done');
    assert.deepEqual(seen, ['loaded']);
    tests.dispose();
    assert.deepEqual([seen, listeners.size], [['loaded', 'ended'], 0]);
  });

  it('end if the extension ends while they load, and log why they do not load', async () => {
    let loaded: ((tests: Disposable) => void) | undefined;
    const slow = opened(() => new Promise((resolve) => (loaded = resolve)));
    await slow.become('done');
    slow.tests.dispose();
    let ended = false;
    loaded?.(new Disposable(() => void (ended = true)));
    await ticks();
    assert.equal(ended, true);
    const broken = opened(() => Promise.reject(new Error('gone')));
    await broken.become('done');
    assert.deepEqual(broken.errors, ['gone']);
  });
});
