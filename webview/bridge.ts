import { messageOf } from '../src/base/errors';
import {
  type AnswerTo,
  type Ask,
  type FromPanel,
  type PanelMemory,
  toPanel,
  type ToPanel,
} from '../src/protocol';

interface Api {
  postMessage(message: FromPanel): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();
const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
let lastId = 0;

export function post(message: FromPanel): void {
  api.postMessage(message);
}

export function remember(memory: PanelMemory): void {
  api.setState(memory);
}

/** Asks the host; it answers or refuses, always. */
export function ask<A extends Ask>(question: A): Promise<AnswerTo<A['type']>> {
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    post({ type: 'ask', id, ask: question });
  });
}

export type Told = Exclude<ToPanel, { type: 'answer' | 'refused' }>;

export function listen(onTold: (message: Told) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    let message: ToPanel;
    try {
      message = toPanel(event.data, '');
    } catch (error) {
      post({ type: 'defect', message: messageOf(error) });
      return;
    }
    if (message.type !== 'answer' && message.type !== 'refused') {
      onTold(message);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'refused') asked?.reject(new Error(message.message));
    else asked?.resolve(message.answer as never);
  });
  window.addEventListener('error', ({ message }) => {
    post({ type: 'defect', message });
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    post({ type: 'defect', message: messageOf(reason) });
  });
}
