import { mock } from 'node:test';
import timers from 'node:timers/promises';

export interface Sleeps {
  /** The length of each sleep, in order; tests add other events. */
  happened: (number | string)[];
  /** Advances the clock past the current sleeps. */
  wake: () => void;
}

/** Mocks every sleep of `node:timers/promises`, and the clock, until `mock.restoreAll()`. */
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

/** The same, but each sleep ends at once. */
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
