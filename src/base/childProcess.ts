import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  type AnswerOf,
  type AskOf,
  type Asking,
  type CallMessage,
  Calls,
  type Requests,
  type Serve,
} from './calls';
import { cancelled, messageOf } from './errors';
import { choice, list, object, type Shaped, text } from './shape';

const wordsKept = 4000;
const unreadableShown = 200;

/**
 * What ended a process: it could not start (the system's code), it exceeded its memory limit (in GB), its heap was
 * full, it was killed after some seconds without progress, or it wrote a cause that cannot be read.
 */
const causeShape = object({
  code: choice('start', 'memory', 'heap', 'stalled', 'unreadable'),
  values: list(text),
});
export type Cause = Shaped<typeof causeShape>;

/** The file descriptor on which a process of Captious writes the cause of its end as JSON. */
export const lastWordFd = 4;

/** Node.js aborts if its heap is full, as native code does for other reasons. Only its text tells them apart. */
const nodeCauses: readonly [text: RegExp, cause: Cause][] = [
  [/heap out of memory|heap limit/i, { code: 'heap', values: [] }],
];

/** How a process ended. `words` is the end of its standard error, with any errors of the connection. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Undefined if only the exit code or the signal is known. */
  cause?: Cause | undefined;
  words: string;
}

export interface Link {
  process: ChildProcess;
  send: (message: CallMessage) => void;
  /** Called once. `receive` gets every message; `broken` gets errors of the channel. */
  listen: (receive: (value: unknown) => void, broken: (why: Error) => void) => void;
  kill: () => void;
  /** The cause that the process or its runtime wrote before its end. */
  causeIn?: (lastWord: string, words: string) => Cause | undefined;
  /** Tells the process that no requests will follow, so it may exit. */
  leave: () => void;
  /** Sets whether the link keeps the current process alive. */
  hold: (change: 'ref' | 'unref') => void;
}

/** A script of Captious, which the current Node.js runs. */
export interface Script {
  script: string;
  execArgv?: string[];
  env?: NodeJS.ProcessEnv;
}

export type ChildOptions<R extends Requests> = CommonOptions<R> & (Script | { link: () => Link });

interface CommonOptions<R extends Requests> {
  requests: R;
  serve?: Serve;
  /** Receives messages that are not calls. Throws if a message is malformed. */
  onMessage?: (value: unknown) => void;
  onExit?: (how: Exit) => void;
  /** Creates the error for callers that still wait when the process ends. */
  lost: (how: Exit) => Error;
  graceMs?: number;
  oneAtATime?: boolean;
}

/** A child process and its calls. It keeps the current process alive only while a caller waits. */
export class Child<R extends Requests> {
  readonly calls: Calls<R>;
  private readonly link: Link;
  private readonly process: ChildProcess;
  private readonly closed: Promise<void>;
  private killer: NodeJS.Timeout | undefined;
  private words = '';
  private lastWord = '';
  private cause: Cause | undefined;
  /** Whether the process was killed. A killed process gets no further requests. */
  isKilled = false;

  constructor(private readonly options: ChildOptions<R>) {
    this.link = 'link' in options ? options.link() : forked(options);
    this.process = this.link.process;
    this.calls = new Calls(options.requests, {
      send: this.link.send,
      serve: options.serve,
      graceMs: options.graceMs,
      oneAtATime: options.oneAtATime,
      onHung: () => this.kill(),
      overdue: (_name, ms) => {
        this.cause = { code: 'stalled', values: [String(Math.round(ms / 1000))] };
        return options.lost(this.exit(null, null));
      },
      onBusy: (busy) => this.hold(busy),
    });
    const [, , stderr, , last] = this.process.stdio;
    stderr?.on('data', (chunk: Buffer) => {
      this.words = (this.words + chunk.toString()).slice(-wordsKept);
    });
    last?.on('data', (chunk: Buffer) => {
      this.lastWord = (this.lastWord + chunk.toString()).slice(0, wordsKept);
    });
    this.link.listen(
      (value) => this.receive(value),
      (why) => this.breakOff(why),
    );
    this.closed = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        clearTimeout(this.killer);
        const how = this.exit(code, signal);
        this.calls.end(() => options.lost(how));
        options.onExit?.(how);
        resolve();
      };
      this.process.once('error', (error: NodeJS.ErrnoException) => {
        this.words += `\n${error.message}`;
        if (this.process.pid !== undefined) return;
        this.cause = { code: 'start', values: [error.code ?? ''] };
        end(null, null);
      });
      // Node omits "close" after a disconnect, so `closed` waits for "exit" and for the last output.
      this.process.once('exit', (code, signal) => {
        const open = [stderr, last].filter((pipe) => pipe?.closed === false);
        void Promise.allSettled(open.map((pipe) => once(pipe!, 'close'))).then(() => end(code, signal));
      });
    });
    this.hold(false);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Kills the process after `graceMs` at the latest. */
  killAfter(graceMs: number): void {
    this.killer ??= setTimeout(() => this.kill(), graceMs);
  }

  kill(): void {
    this.isKilled = true;
    this.link.kill();
  }

  /** Ends the process, and waits for it: at once if a caller waits, else after `graceMs` at the latest. */
  async close(graceMs: number): Promise<void> {
    this.process.ref();
    if (this.calls.waiting > 0) this.kill();
    else this.link.leave();
    this.killAfter(graceMs);
    await this.closed;
  }

  private receive(value: unknown): void {
    try {
      if (this.calls.hear(value)) return;
      if (this.options.onMessage === undefined) throw new Error('The process sent an unexpected message.');
      this.options.onMessage(value);
    } catch (error) {
      this.breakOff(error);
    }
  }

  private breakOff(why: unknown): void {
    this.words += `\n${messageOf(why)}`;
    this.kill();
  }

  private exit(code: number | null, signal: NodeJS.Signals | null): Exit {
    const { words, lastWord } = this;
    const cause = this.cause ?? this.link.causeIn?.(lastWord, words);
    return { code, signal, cause, words: words.trim() };
  }

  private hold(busy: boolean): void {
    this.link.hold(busy ? 'ref' : 'unref');
  }
}

function causeIn(lastWord: string, words: string): Cause | undefined {
  if (lastWord === '') return nodeCauses.find(([text]) => text.test(words))?.[1];
  try {
    return causeShape(JSON.parse(lastWord), '');
  } catch {
    return { code: 'unreadable', values: [lastWord.slice(0, unreadableShown)] };
  }
}

function forked({ script, execArgv = [], env }: Script): Link {
  // From this id, a child that is still loading can tell whether its parent still lives.
  const child = fork(script, [String(process.pid)], {
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    // In the desktop editor the executable is Electron, which must run as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
  });
  return {
    process: child,
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    listen: (receive) => child.on('message', receive),
    kill: () => child.kill('SIGKILL'),
    causeIn,
    leave: () => {
      if (child.connected) child.disconnect();
    },
    hold: (change) => {
      child[change]();
      child.channel?.[change]();
      for (const pipe of child.stdio)
        (pipe as Partial<Record<'ref' | 'unref', () => void>> | null)?.[change]?.();
    },
  };
}

/** A child process that starts with the first request. The next request after a crash starts a new process. */
export class Service<R extends Requests> {
  private child: Child<R> | undefined;
  private isClosed = false;

  constructor(private readonly options: () => ChildOptions<R>) {}

  /** The process id, or undefined if no process runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  async ask<N extends keyof R & string>(
    name: N,
    ask: AskOf<R, N>,
    context?: Asking,
  ): Promise<AnswerOf<R, N>> {
    // Waits until the process confirms earlier cancels. A process that does not confirm them in time is killed.
    const confirmed = this.child?.calls.confirmed();
    if (confirmed !== undefined) await confirmed;
    if (this.isClosed) throw cancelled();
    return this.start().calls.ask(name, ask, context);
  }

  dispose(): void {
    this.child?.kill();
  }

  async close(graceMs: number): Promise<void> {
    this.isClosed = true;
    await this.child?.close(graceMs);
  }

  private start(): Child<R> {
    if (this.child !== undefined && !this.child.isKilled) return this.child;
    const child: Child<R> = new Child<R>({
      ...this.options(),
      onExit: () => {
        if (this.child === child) this.child = undefined;
      },
    });
    return (this.child = child);
  }
}
