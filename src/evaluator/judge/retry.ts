import { setTimeout as sleep } from 'node:timers/promises';
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { ChatProblem } from './chat';

/** Longer than this nobody waits: the run stops and is taken up later. */
const longestWaitMs = 10 * 60_000;
/** So many questions in a row without an answer are no accident. */
const mostFailures = 5;

/** Why one request got no answer. */
export class Trouble extends Error {
  constructor(
    message: string,
    readonly how: {
      /** How often it may be tried again. */
      retries: number;
      /** No question will be answered. */
      ends?: boolean;
      afterMs?: number;
      remedy?: string;
    },
  ) {
    super(message);
  }
}

export interface RetryOptions {
  /** Who is asked, for people. */
  at: string;
  /** The way out where the trouble itself names none. */
  remedy: string;
  /** The first wait before a request is made again; each further one is twice as long. */
  firstWaitMs?: number;
  attempts?: number;
  /** Takes out of a message what must not be repeated. */
  hide?: (message: string) => string;
}

/** How often one who does not answer is asked again, and when it is given up: for one question, or for all. */
export class Retry {
  /** Whether there ever was an answer. */
  answered = false;
  private failuresInARow = 0;
  /** Where patience was asked for, nobody asks before. */
  private notBefore = 0;

  constructor(private readonly options: RetryOptions) {}

  async insist<T>(once: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { attempts = 6, firstWaitMs = 1000 } = this.options;
    for (let attempt = 0; ; attempt++) {
      await wait(this.notBefore - Date.now(), signal);
      try {
        const answer = await once();
        this.answered = true;
        this.failuresInARow = 0;
        return answer;
      } catch (error) {
        throwIfCancelled(signal);
        if (!(error instanceof Trouble)) throw error;
        const { retries, afterMs = 0 } = error.how;
        if (attempt >= Math.min(retries, attempts - 1) || afterMs > longestWaitMs) throw this.giveUp(error);
        if (afterMs > 0) this.notBefore = Math.max(this.notBefore, Date.now() + afterMs);
        // Spread out, so that questions that failed together do not come back together.
        const backoff = Math.min(60_000, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2);
        await wait(Math.max(backoff, afterMs), signal);
      }
    }
  }

  private giveUp(trouble: Trouble): Error {
    const { ends = false, afterMs = 0 } = trouble.how;
    const { at, remedy, hide = (message) => message } = this.options;
    const message = hide(trouble.message);
    this.failuresInARow++;
    const lost = ends || !this.answered || this.failuresInARow >= mostFailures;
    if (!lost) return new ChatProblem(message);
    return new CaptiousError(this.answered ? 'interrupted' : 'evaluator', message, {
      at,
      remedy:
        trouble.how.remedy ??
        (afterMs > 0
          ? `Run it again in ${Math.ceil(afterMs / 60_000)} minutes: what was judged is kept.`
          : remedy),
    });
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfCancelled(signal);
  if (ms <= 0) return Promise.resolve();
  return sleep(ms, undefined, { signal }).catch(() => throwIfCancelled(signal));
}
