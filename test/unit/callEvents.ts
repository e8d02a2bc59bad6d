import { mock } from 'node:test';
import { Calls, type Requests } from '../../src/base/calls';

/** Resolves at a child process's next progress message: a loaded graph or a finished batch. */
export function nextStep(): Promise<void> {
  return nextCall('hear', (message) => (message as { type?: unknown }).type === 'step');
}

/** Resolves at the next request with this name. */
export function nextAsk(name: string): Promise<void> {
  return nextCall('ask', (asked) => asked === name);
}

function nextCall(method: 'ask' | 'hear', wanted: (argument: unknown) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const own = Calls.prototype[method] as (this: Calls<Requests>, ...args: unknown[]) => unknown;
    const spy = mock.method(Calls.prototype, method, function (this: Calls<Requests>, ...args: unknown[]) {
      if (wanted(args[0])) {
        spy.mock.restore();
        resolve();
      }
      return own.apply(this, args);
    });
  });
}
