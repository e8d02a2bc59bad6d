import { mock } from 'node:test';
import timers from 'node:timers/promises';

export interface Sleeps {
  /** In order: the lengths of all sleeps, and the events that a test adds. */
  happened: (number | string)[];
  /** Ends all sleeps and advances the clock. */
  wake: () => void;
}

/** Replaces the clock and the sleeps of `node:timers/promises` until `mock.restoreAll()`. */
export function holdSleeps(): Sleeps {
  let clock = Date.now();
  const happened: (number | string)[] = [];
  const held: { until: number; resolve: () => void }[] = [];
  mock.method(Date, 'now', () => clock);
  mock.method(timers, 'setTimeout', (ms: number) => {
    happened.push(ms);
    return new Promise<void>((resolve) => held.push({ until: clock + ms, resolve }));
  });
  const wake = (): void => {
    for (const { until, resolve } of held.splice(0)) {
      clock = Math.max(clock, until);
      resolve();
    }
  };
  return { happened, wake };
}

/** Like `holdSleeps`, but sleeps end at once. */
export function skipSleeps(): Pick<Sleeps, 'happened'> {
  let clock = Date.now();
  const happened: (number | string)[] = [];
  mock.method(Date, 'now', () => clock);
  mock.method(timers, 'setTimeout', (ms: number) => {
    happened.push(ms);
    clock += ms;
    return Promise.resolve();
  });
  return { happened };
}
