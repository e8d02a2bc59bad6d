import { Calls, type Requests } from '../../src/base/calls';
import { messageOf } from '../../src/base/errors';
import type { Shape } from '../../src/base/shape';
import { showHidden } from './hidden';

interface Api {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): Api;

export interface Bridge<In, Out, R extends Requests> {
  ask: Calls<R>['ask'];
  post: (message: Out | { type: 'defect'; message: string }) => void;
  /** Stores a state. `recalled` returns it after the page was reloaded, but not after its tab was closed. */
  remember: (memory: unknown) => void;
  recalled: () => unknown;
  listen: (onMessage: (message: In) => void) => void;
}

/** Connects a page with the editor. Checks incoming messages, shows hidden characters, and reports the page's errors. */
export function bridgeOf<In, Out, R extends Requests>(check: Shape<In>, requests: R): Bridge<In, Out, R> {
  const api = acquireVsCodeApi();
  showHidden(document);
  const defect = (error: unknown): void => {
    api.postMessage({ type: 'defect', message: messageOf(error) });
  };
  const calls = new Calls(requests, {
    send: (message) => {
      api.postMessage(message);
    },
  });
  return {
    ask: (name, ask, context) => calls.ask(name, ask, context),
    post: (message) => {
      api.postMessage(message);
    },
    remember: (memory) => {
      api.setState(memory);
    },
    recalled: () => api.getState(),
    listen: (onMessage) => {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        try {
          if (!calls.hear(data)) onMessage(check(data, ''));
        } catch (error) {
          defect(error);
        }
      });
      window.addEventListener('error', ({ message }) => {
        defect(message);
      });
      window.addEventListener('unhandledrejection', ({ reason }) => {
        defect(reason);
      });
    },
  };
}
