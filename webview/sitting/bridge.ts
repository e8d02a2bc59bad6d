import { messageOf } from '../../src/base/errors';
import type { Shape } from '../../src/base/shape';
import type { SittingMemory } from '../../src/protocol/sitting';

interface Api {
  postMessage(message: unknown): void;
  setState(state: SittingMemory): void;
}
declare function acquireVsCodeApi(): Api;

export interface Bridge<In, Out> {
  post: (message: Out) => void;
  remember: (memory: SittingMemory) => void;
  listen: (onMessage: (message: In) => void) => void;
}

/** Connects an annotator's page with the editor. Checks incoming messages, and reports errors to the editor. */
export function bridgeOf<In, Out>(check: Shape<In>): Bridge<In, Out | { type: 'defect'; message: string }> {
  const api = acquireVsCodeApi();
  const defect = (message: string): void => api.postMessage({ type: 'defect', message });
  return {
    post: (message) => api.postMessage(message),
    remember: (memory) => api.setState(memory),
    listen: (onMessage) => {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        try {
          onMessage(check(event.data, ''));
        } catch (error) {
          defect(messageOf(error));
        }
      });
      window.addEventListener('error', ({ message }) => defect(message));
      window.addEventListener('unhandledrejection', ({ reason }) => defect(messageOf(reason)));
    },
  };
}
