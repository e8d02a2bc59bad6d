import { messageOf } from '../../src/base/errors';
import {
  type FromWorkshop,
  type ToWorkshop,
  toWorkshop,
  type WorkshopMemory,
} from '../../src/editor/workshop/messages';

interface Api {
  postMessage(message: FromWorkshop): void;
  setState(state: WorkshopMemory): void;
}
declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();

export function post(message: FromWorkshop): void {
  api.postMessage(message);
}

export function remember(memory: WorkshopMemory): void {
  api.setState(memory);
}

export function listen(onMessage: (message: ToWorkshop) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    try {
      onMessage(toWorkshop(event.data, ''));
    } catch (error) {
      post({ type: 'defect', message: messageOf(error) });
    }
  });
  window.addEventListener('error', ({ message }) => {
    post({ type: 'defect', message });
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    post({ type: 'defect', message: messageOf(reason) });
  });
}
