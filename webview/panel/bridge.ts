import { messageOf } from '../../src/base/errors';
import { ShapeError } from '../../src/base/shape';
import {
  type FromPanel,
  panelMemory,
  type PanelMemory,
  toPanel,
  type ToPanel,
} from '../../src/protocol/panel';
import type { AnswerTo, Ask } from '../../src/protocol/rows';

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

/** What an earlier page of this panel remembered; undefined where there was none, or it is of another version. */
export function recalled(): PanelMemory | undefined {
  try {
    return panelMemory(api.getState(), '');
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** Asks the host; it answers or refuses, always. */
export function ask<A extends Ask>(question: A): Promise<AnswerTo<A['type']>> {
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    post({ type: 'ask', id, ask: question });
  });
}

function settle(id: number): ReturnType<typeof waiting.get> {
  const asked = waiting.get(id);
  waiting.delete(id);
  return asked;
}

export type Told = Exclude<ToPanel, { type: 'answer' | 'refused' }>;

export function listen(onTold: (message: Told) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    let message: ToPanel;
    try {
      message = toPanel(event.data, '');
    } catch (error) {
      post({ type: 'defect', message: messageOf(error) });
      // Whoever asked must not wait for ever.
      const id = (event.data as { id?: number } | null)?.id;
      if (id !== undefined) settle(id)?.reject(new Error(messageOf(error)));
      return;
    }
    if (message.type !== 'answer' && message.type !== 'refused') {
      onTold(message);
      return;
    }
    const asked = settle(message.id);
    if (message.type === 'refused') asked?.reject(new Error(message.message));
    else asked?.resolve(message.answer as never);
  });
  window.addEventListener('error', ({ message }) => post({ type: 'defect', message }));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    post({ type: 'defect', message: messageOf(reason) }),
  );
}
