import { setTimeout as sleep } from 'node:timers/promises';
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import type { ChatAnswer, ChatModel, ChatQuestion } from './chat';
import { Retry, Trouble } from './retry';

/** The prefix of references to VS Code's language models, and the value of `endpoint` in a judge file. */
export const editorScheme = 'vscode.lm';

export interface EditorModel {
  id: string;
  vendor: string;
  family: string;
  version: string;
  name: string;
}

export type EditorQuestion = Required<Pick<ChatQuestion, 'orders' | 'text' | 'image'>>;

/** An answer, or the reason why it is missing. `blocked`: whether the editor rejects all requests for now. */
export type EditorAnswer = { text: string } | { trouble: string; blocked: boolean };

/** The language models of the editor that started the run. */
export interface EditorModels {
  /** Finds a model by id or family. Throws if the model is missing, ambiguous or unable to receive images. */
  find(name: string): Promise<EditorModel>;
  ask(model: string, question: EditorQuestion, signal?: AbortSignal): Promise<EditorAnswer>;
}

export function outsideEditor(name: string): CaptiousError {
  return new CaptiousError('usage', say('judge.editorModelOutsideEditor', editorScheme, name), {
    remedy: say('judge.useEditorOrEndpoint'),
  });
}

export class EditorChat implements ChatModel {
  private readonly retry: Retry;

  constructor(
    private readonly models: EditorModels,
    private readonly options: { model: EditorModel; deadlineMs: number; firstWaitMs?: number },
  ) {
    const { model, firstWaitMs } = options;
    this.retry = new Retry({
      at: `${editorScheme}:${model.id}`,
      remedy: say('judge.checkEditorModel'),
      firstWaitMs,
    });
  }

  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer> {
    return this.retry.insist(() => this.once(question, signal), signal);
  }

  private async once({ orders = '', text, image }: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer> {
    throwIfCancelled(signal);
    if (image === undefined) throw new Error('Questions to the models of the editor have an image.');
    const { model, deadlineMs } = this.options;
    const done = new AbortController();
    const stop = AbortSignal.any([done.signal, ...(signal === undefined ? [] : [signal])]);
    const late = sleep(deadlineMs, undefined, { signal: stop }).then(
      () => 'late' as const,
      () => {
        throwIfCancelled(signal);
        return new Promise<never>(() => undefined);
      },
    );
    try {
      const said = await Promise.race([this.models.ask(model.id, { orders, text, image }, stop), late]);
      if (said === 'late')
        throw new Trouble(say('judge.editorModelTimeout', model.name, deadlineMs / 1000), { retries: 1 });
      if ('text' in said) return { text: said.text, plain: true };
      throw new Trouble(say('judge.editorModelFailed', model.name, said.trouble), {
        retries: said.blocked ? 1 : 3,
        ends: said.blocked,
      });
    } finally {
      done.abort();
    }
  }
}
