import { cancelled } from '../base/errors';
import type { EditorModels } from '../evaluator/judge/editorModels';
import { errorOf } from '../protocol/failure';
import { type FromRunner, type ToRunner } from '../protocol/processes';
import type { Grant, HostCall } from '../protocol/hostCalls';

interface HostAnswers {
  consent: Extract<Grant, { type: 'consent' }>;
  key: Extract<Grant, { type: 'key' }>;
  model: Extract<Grant, { type: 'model' }>;
  chat: Extract<Grant, { type: 'said' | 'unanswered' }>;
}

interface Waiting {
  answers: readonly Grant['type'][];
  resolve: (grant: Grant) => void;
  reject: (error: Error) => void;
}

const answersTo: { [W in HostCall['type']]: HostAnswers[W]['type'][] } = {
  consent: ['consent'],
  key: ['key'],
  model: ['model'],
  chat: ['said', 'unanswered'],
};

/** What the process of an audit waits for from the editor. */
export class HostCalls {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly send: (message: Extract<FromRunner, { type: 'hostCall' | 'cancelHostCall' }>) => void,
  ) {}

  ask<W extends HostCall>(hostCall: W, signal?: AbortSignal): Promise<HostAnswers[W['type']]> {
    return new Promise<Grant>((resolve, reject) => {
      if (signal?.aborted) throw cancelled();
      const id = ++this.lastId;
      const stop = (): void => {
        this.waiting.delete(id);
        this.send({ type: 'cancelHostCall', id });
        reject(cancelled());
      };
      const settled = (): void => signal?.removeEventListener('abort', stop);
      signal?.addEventListener('abort', stop, { once: true });
      this.waiting.set(id, {
        answers: answersTo[hostCall.type],
        resolve: (grant) => {
          settled();
          resolve(grant);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.send({ type: 'hostCall', id, hostCall });
    }) as Promise<HostAnswers[W['type']]>;
  }

  hear(message: Extract<ToRunner, { type: 'granted' | 'refused' }>): void {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    this.waiting.delete(message.id);
    if (message.type === 'refused') waiting.reject(errorOf(message.failure));
    else if (waiting.answers.includes(message.grant.type)) waiting.resolve(message.grant);
    else waiting.reject(new Error(`The editor granted "${message.grant.type}" to another wish.`));
  }
}

/** The editor's language models as they are reached from the process of an audit. */
export function modelsBy(hostCalls: HostCalls): EditorModels {
  return {
    find: async (name) => (await hostCalls.ask({ type: 'model', name })).model,
    ask: async (model, { orders, text, picture }, signal) => {
      const answer = await hostCalls.ask({ type: 'chat', model, orders, text, picture }, signal);
      return answer.type === 'said' ? { text: answer.text } : answer;
    },
  };
}
