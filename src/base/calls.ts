/* Requests and replies between two processes, threads or pages, over any ordered channel. */
import { cancelled, CaptiousError, throwIfCancelled } from './errors';
import { errorOf, failure, type Failure, failureOf } from './failure';
import { anything, count, object, type Shape, type Shaped, ShapeError, text, union } from './shape';

/** The requests by name. `stallMs`: how many milliseconds the other side may work without reporting progress. */
export type Requests = Readonly<
  Record<string, { ask: Shape<unknown>; answer: Shape<unknown>; stallMs?: number }>
>;
export type AskOf<R extends Requests, N extends keyof R> = Shaped<R[N]['ask']>;
export type AnswerOf<R extends Requests, N extends keyof R> = Shaped<R[N]['answer']>;

const callMessage = union({
  ask: { id: count, name: text, ask: anything() },
  stop: { id: count },
  /** The reply to `stop`, which shows that the other side still reads its messages. */
  stopping: { id: count },
  step: { id: count },
  answer: { id: count, answer: anything() },
  fail: { id: count, failure },
});
export type CallMessage = Shaped<typeof callMessage>;
const callTypes: readonly CallMessage['type'][] = ['ask', 'stop', 'stopping', 'step', 'answer', 'fail'];
const types: readonly unknown[] = callTypes;
const numbered = object({ id: count });

export interface CallContext {
  signal: AbortSignal;
  /** Reports progress, which resets the caller's deadline. */
  step: () => void;
}

export type Asking = { [K in keyof CallContext]?: CallContext[K] | undefined } & {
  /** Used if the request has no `stallMs` in `Requests`. */
  stallMs?: number;
};

/** Answers a request of any name. */
export type Serve = (name: string, ask: unknown, context: CallContext) => Promise<unknown>;

export type Handlers<R extends Requests> = {
  [N in keyof R]: (ask: AskOf<R, N>, context: CallContext) => Promise<AnswerOf<R, N>> | AnswerOf<R, N>;
};

/** Checks a request and calls the handler of its name. */
export function serving<R extends Requests>(requests: R, handlers: Handlers<R>): Serve {
  return passing(requests, async (name, ask, context) => handlers[name](ask, context));
}

/** Checks a request and passes it on by its name. */
export function passing<R extends Requests>(
  requests: R,
  answer: <N extends keyof R & string>(name: N, ask: AskOf<R, N>, context: CallContext) => Promise<unknown>,
): Serve {
  return async (name, ask, context) => {
    if (!Object.hasOwn(requests, name)) throw new Error(`There is no request "${name}".`);
    return answer(name, requests[name].ask(ask, name) as AskOf<R, string>, context);
  };
}

export interface CallsOptions {
  send: (message: CallMessage) => void;
  serve?: Serve;
  /** The milliseconds in which the other side must confirm a cancel. */
  graceMs?: number;
  /**
   * Called if the other side hangs: it did not confirm a cancel in time, or a request stalled and `oneAtATime` is
   * set. The handler should end the other side, so that all waiting callers get an error.
   */
  onHung?: (why: Error) => void;
  overdue?: (name: string, stallMs: number) => Error;
  /** Whether the other side works on one request at a time: progress of one then resets all deadlines. */
  oneAtATime?: boolean;
  /** Called with true when the first request starts waiting, and with false when none is waiting. */
  onBusy?: (busy: boolean) => void;
}

interface Pending {
  answer: (value: unknown) => void;
  fail: (error: Error) => void;
  step: () => void;
  release: () => void;
}

/** One end of a channel: sends requests to the other end and answers its requests. */
export class Calls<R extends Requests> {
  private readonly pending = new Map<number, Pending>();
  /** The timers of cancelled requests by id, until the other side confirms the cancel. */
  private readonly stopping = new Map<number, ReturnType<typeof setTimeout>>();
  private whenConfirmed: (() => void)[] = [];
  private readonly served = new Map<number, AbortController>();
  private lastId = 0;
  private ended: (() => Error) | undefined;

  constructor(
    private readonly requests: R,
    private readonly options: CallsOptions,
  ) {}

  get waiting(): number {
    return this.pending.size;
  }

  /** Resolves when the other side has confirmed every cancel or hangs. Undefined if no cancel waits. */
  confirmed(): Promise<void> | undefined {
    if (this.stopping.size === 0) return undefined;
    return new Promise((resolve) => this.whenConfirmed.push(resolve));
  }

  ask<N extends keyof R & string>(name: N, ask: AskOf<R, N>, context: Asking = {}): Promise<AnswerOf<R, N>> {
    const { signal } = context;
    return new Promise<AnswerOf<R, N>>((resolve, reject) => {
      throwIfCancelled(signal);
      if (this.ended !== undefined) throw this.ended();
      const id = ++this.lastId;
      const { answer: check, stallMs = context.stallMs } = this.requests[name];
      const cancel = (): void => {
        const { reason } = signal as { reason: unknown };
        this.giveUp(id, reason instanceof CaptiousError ? reason : cancelled());
      };
      const watch =
        stallMs === undefined ? undefined : new Watch(stallMs, () => this.stall(id, name, stallMs));
      signal?.addEventListener('abort', cancel, { once: true });
      this.pending.set(id, {
        answer: (value) => {
          try {
            resolve(check(value, name) as AnswerOf<R, N>);
          } catch (error) {
            reject(error as Error);
          }
        },
        fail: reject,
        step: () => {
          watch?.restart();
          context.step?.();
        },
        release: () => {
          watch?.stop();
          signal?.removeEventListener('abort', cancel);
        },
      });
      if (this.pending.size === 1) this.options.onBusy?.(true);
      try {
        this.options.send({ type: 'ask', id, name, ask });
      } catch (error) {
        this.settle(id)?.fail(error as Error);
      }
    });
  }

  /** Handles a message. Returns false if it does not belong to a call, and throws if it is malformed. */
  hear(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !types.includes((value as { type?: unknown }).type))
      return false;
    const message = this.checked(value);
    const { id } = message;
    if (message.type !== 'ask' && message.type !== 'stop' && message.type !== 'step') this.heardStop(id);
    switch (message.type) {
      case 'ask':
        void this.serve(id, message.name, message.ask);
        return true;
      case 'stop':
        if (this.served.has(id)) this.options.send({ type: 'stopping', id });
        this.served.get(id)?.abort(cancelled());
        return true;
      case 'step':
        this.step(id);
        return true;
      case 'answer':
        this.step(id);
        this.settle(id)?.answer(message.answer);
        return true;
      case 'fail':
        this.step(id);
        this.settle(id)?.fail(errorOf(message.failure));
        return true;
      case 'stopping':
        return true;
    }
  }

  /** Handles the end of the other side: all waiting callers get the error `why`, and all handlers are cancelled. */
  end(why: () => Error): void {
    this.ended ??= why;
    for (const id of this.stopping.keys()) this.heardStop(id);
    for (const id of [...this.pending.keys()]) this.settle(id)?.fail(why());
    for (const work of this.served.values()) work.abort(cancelled());
  }

  private checked(value: object): CallMessage {
    try {
      return callMessage(value, '');
    } catch (error) {
      // The caller that waits for this malformed reply gets the error, because it must not wait forever.
      if (error instanceof ShapeError && 'id' in value && error.at !== 'id')
        this.settle(numbered(value, '').id)?.fail(error);
      throw error;
    }
  }

  private async serve(id: number, name: string, ask: unknown): Promise<void> {
    const work = new AbortController();
    this.served.set(id, work);
    const { send, serve } = this.options;
    let failed: Failure;
    try {
      if (serve === undefined) throw new Error(`There is no handler for "${name}".`);
      const step = (): void => {
        if (this.served.has(id)) send({ type: 'step', id });
      };
      const answer = await serve(name, ask, { signal: work.signal, step });
      this.served.delete(id);
      send({ type: 'answer', id, answer });
      return;
    } catch (error) {
      failed = failureOf(error);
    }
    this.served.delete(id);
    send({ type: 'fail', id, failure: failed });
  }

  private step(id: number): void {
    const moved = this.options.oneAtATime ? this.pending.values() : [this.pending.get(id)];
    for (const pending of moved) pending?.step();
  }

  private stall(id: number, name: string, stallMs: number): void {
    const error = this.options.overdue?.(name, stallMs) ?? overdueOf(name, stallMs);
    if (this.options.oneAtATime) this.options.onHung?.(error);
    else this.giveUp(id, error);
  }

  /** Cancels the request. The other side counts as hung if it does not confirm the cancel in time. */
  private giveUp(id: number, why: Error): void {
    const { graceMs = 1000, onHung } = this.options;
    this.settle(id)?.fail(why);
    const hung = (): void => {
      onHung?.(why);
      this.heardStop(id);
    };
    if (graceMs > 0) this.stopping.set(id, setTimeout(hung, graceMs));
    this.options.send({ type: 'stop', id });
    if (graceMs === 0) hung();
  }

  private heardStop(id: number): void {
    clearTimeout(this.stopping.get(id));
    if (!this.stopping.delete(id) || this.stopping.size > 0) return;
    for (const resolve of this.whenConfirmed.splice(0)) resolve();
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    pending?.release();
    if (this.pending.delete(id) && this.pending.size === 0) this.options.onBusy?.(false);
    return pending;
  }
}

/** Watches for a stall. Counts timer ticks, because a clock would also run while the computer is suspended. */
class Watch {
  private ticks = 0;
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(stallMs: number, onStall: () => void) {
    const tickMs = Math.min(1000, stallMs / 4);
    this.timer = setInterval(() => {
      if (++this.ticks * tickMs >= stallMs) onStall();
    }, tickMs);
  }

  restart(): void {
    this.ticks = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

function overdueOf(name: string, stallMs: number): Error {
  return new Error(`"${name}" made no progress for ${Math.round(stallMs / 1000)} seconds.`);
}
