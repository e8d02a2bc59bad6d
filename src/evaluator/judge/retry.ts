import { setTimeout as sleep } from 'node:timers/promises';
import { CaptiousError, throwIfCancelled, Reason } from '../../base/errors';
import { say, type Words, withValues } from '../../base/say';
import { ChatProblem } from './chat';

/** The longest wait. If the server demands a longer one, the request is not retried. */
const longestWaitMs = 10 * 60_000;
/** After this many failures in a row, all further requests are expected to fail. */
const mostFailures = 5;
/** How long retries continue while an overloaded server answers nothing. */
const patienceMs = 10 * 60_000;

/** A failed request. The message is the reason, and `how` says whether to send the request again. */
export class Trouble extends Reason {
  constructor(
    what: Words,
    readonly how: {
      /** How many times this request may be retried. */
      retries?: number;
      /** Whether the server is overloaded or unavailable for a while. */
      busy?: boolean;
      /** Whether the server did not answer in time. */
      slow?: boolean;
      /** Whether the next attempt is a different request. The attempts are then counted from the start. */
      again?: boolean;
      /** Whether all further requests would also fail. */
      ends?: boolean;
      afterMs?: number;
      remedy?: Words;
    },
  ) {
    super(what);
  }
}

export interface RetryOptions {
  /** The endpoint's name in messages. */
  at: string;
  /** The remedy for failures whose `Trouble` has no remedy. */
  remedy: Words;
  /** The longest backoff before the first retry. It doubles for each further retry, up to one minute. */
  firstWaitMs?: number;
  attempts?: number;
  /** Called when the server is overloaded or too slow. */
  onBusy?: () => void;
  /** Removes secrets from a text. */
  hide?: (text: string) => string;
}

/** Retries failed requests, and decides when to give up on one question or on all questions. */
export class Retry {
  /** Whether any request has received a valid answer, even a refusal. */
  answered = false;
  private failuresInARow = 0;
  /** The time before which the server does not want further requests. */
  private notBefore = 0;
  private lastAnswer = -Infinity;

  constructor(private readonly options: RetryOptions) {}

  async insist<T>(once: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { attempts = 6, firstWaitMs = 1000, onBusy } = this.options;
    const begun = Date.now();
    for (let attempt = 0; ; attempt++) {
      await wait(this.notBefore - Date.now(), signal);
      try {
        const answer = await once();
        this.answered = true;
        this.failuresInARow = 0;
        this.lastAnswer = Date.now();
        return answer;
      } catch (error) {
        throwIfCancelled(signal);
        if (!(error instanceof Trouble)) throw error;
        const { retries = 0, afterMs = 0, busy = false, slow = false, again = false } = error.how;
        if (again) {
          attempt = -1;
          continue;
        }
        if (busy || slow) onBusy?.();
        const mayWait = attempts > 1 && busy && Date.now() - Math.max(begun, this.lastAnswer) < patienceMs;
        const most = mayWait ? retries : Math.min(retries, attempts - 1);
        if (attempt >= most || afterMs > longestWaitMs) throw this.giveUp(error);
        if (afterMs > 0) this.notBefore = Math.max(this.notBefore, Date.now() + afterMs);
        // The factor is random, because requests that failed together should not be retried together.
        const backoff = Math.min(60_000, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2);
        await wait(Math.max(backoff, afterMs), signal);
      }
    }
  }

  private giveUp(trouble: Trouble): Error {
    const { ends = false, afterMs = 0 } = trouble.how;
    const { at, remedy, hide = (text) => text } = this.options;
    const message = withValues(trouble.what, hide);
    this.failuresInARow++;
    const lost = ends || !this.answered || this.failuresInARow >= mostFailures;
    if (!lost) return new ChatProblem(message);
    return new CaptiousError(this.answered ? 'interrupted' : 'evaluator', message, {
      at,
      remedy:
        trouble.how.remedy ??
        (afterMs > 0 ? say('judge.retryInMinutes', Math.ceil(afterMs / 60_000)) : remedy),
    });
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfCancelled(signal);
  if (ms <= 0) return Promise.resolve();
  return sleep(ms, undefined, { signal }).catch(() => throwIfCancelled(signal));
}
