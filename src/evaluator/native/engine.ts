import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CaptiousError, cancelled, throwIfCancelled } from '../../base/errors';
import { english, say } from '../../base/say';
import { memoryVariable, memoryWords, mostMemory } from './memory';
import type { JobName, Jobs, Reply, Request, WireError } from '../../protocol/native';

export interface EngineOptions {
  /** How long a cancelled call may take to stop by itself before its process is killed. */
  killAfterMs?: number;
  /** How long the process may go without finishing a step (a graph loaded, a batch, a picture). */
  stepDeadlineMs?: number;
}

interface Pending {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
  release: () => void;
}

const resume = 'Run it again to go on: what is in the cache is not encoded again.';

/**
 * The parent's end of the child process that holds the native sessions. The process starts with the first call, may
 * die at any time, and is started again by the next call.
 */
export class Engine {
  private child: ChildProcess | undefined;
  private readonly pending = new Map<number, Pending>();
  private lastCall = 0;
  private lastWords = '';
  private idleTicks = 0;
  private watch: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly killAfterMs: number;
  private readonly stepDeadlineMs: number;

  constructor(options: EngineOptions = {}) {
    this.killAfterMs = options.killAfterMs ?? 600;
    this.stepDeadlineMs = options.stepDeadlineMs ?? 120_000;
  }

  /** The child's process id while there is one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  run<K extends JobName>(name: K, ask: Jobs[K]['ask'], signal?: AbortSignal): Promise<Jobs[K]['answer']> {
    return new Promise<Jobs[K]['answer']>((resolve, reject) => {
      throwIfCancelled(signal);
      if (this.closed) throw new Error('This evaluator was closed.');
      const child = this.start();
      const call = ++this.lastCall;
      let killer: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        this.send(child, { type: 'cancel', call });
        killer = setTimeout(() => child.kill('SIGKILL'), this.killAfterMs);
      };
      const refuse = (error: Error): void => {
        if (!signal?.aborted) reject(error);
        else reject(signal.reason instanceof CaptiousError ? signal.reason : cancelled());
      };
      this.pending.set(call, {
        resolve,
        reject: refuse,
        release: () => {
          clearTimeout(killer);
          signal?.removeEventListener('abort', cancel);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
      this.hold(child);
      try {
        // The request is one member of the union, which the compiler cannot see through the type parameter.
        this.send(child, { type: 'job', call, name, ask } as Request);
      } catch (error) {
        this.settle(child, call);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const child = this.child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    if (this.pending.size > 0) child.kill('SIGKILL');
    else if (child.connected) child.disconnect();
    const killer = setTimeout(() => child.kill('SIGKILL'), this.killAfterMs);
    await ended;
    clearTimeout(killer);
  }

  private start(): ChildProcess {
    if (this.child !== undefined) return this.child;
    // A limit that is none is told here, not by a process that cannot start.
    mostMemory();
    const { script, execArgv } = sessionScript();
    // Electron runs as Node only where it is told to; a debugger's or a loader's options are not the child's business.
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' };
    const child = fork(script, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv,
      env,
    });
    this.child = child;
    this.lastWords = '';
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-2000);
    });
    child.on('message', (reply: Reply) => this.receive(child, reply));
    child.on('error', (error) => this.end(child, `could not be started: ${error.message}`));
    child.on('exit', (code, signalName) => {
      this.end(child, signalName === null ? `ended with exit code ${code}` : `was ended by ${signalName}`);
    });
    return child;
  }

  private send(child: ChildProcess, request: Request): void {
    // A channel that is gone means that the exit handler speaks next.
    if (child.connected) child.send(request, () => undefined);
  }

  private receive(child: ChildProcess, reply: Reply): void {
    if (child !== this.child) return;
    this.idleTicks = 0;
    if (reply.type === 'step') return;
    const pending = this.settle(child, reply.call);
    if (pending === undefined) return;
    switch (reply.type) {
      case 'done':
        pending.resolve(reply.answer as never);
        return;
      case 'cancelled':
        pending.reject(cancelled());
        return;
      case 'failed':
        pending.reject(fromWire(reply.error));
    }
  }

  /** The call waits no longer; undefined where it did not wait. */
  private settle(child: ChildProcess, call: number): Pending | undefined {
    const pending = this.pending.get(call);
    pending?.release();
    this.pending.delete(call);
    if (this.pending.size === 0) this.letGo(child);
    return pending;
  }

  /** The child is gone: nobody may wait for it any longer. */
  private end(child: ChildProcess, how: string): void {
    if (child !== this.child) return;
    const why = this.whyEnded(how);
    this.letGo(child);
    this.child = undefined;
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const { reject, release } of waiting) {
      release();
      reject(why());
    }
  }

  private whyEnded(how: string): () => CaptiousError {
    const words = this.lastWords.trim();
    const greedy = words.lastIndexOf(memoryWords);
    if (greedy >= 0) {
      return () =>
        new CaptiousError('evaluator', say`${words.slice(greedy)}, and its process was ended.`, {
          remedy: say`Choose a smaller model, or allow more GB with the environment variable ${memoryVariable}.`,
        });
    }
    if (/heap out of memory|heap limit/i.test(words)) {
      return () =>
        new CaptiousError(
          'evaluator',
          say`The model or its tokenizer needs more memory than its process may take.`,
          {
            remedy: say`Choose a smaller model.`,
          },
        );
    }
    const message = this.overdue
      ? `The model made no progress for ${Math.round(this.stepDeadlineMs / 1000)} seconds and its process was ended.`
      : `The process that runs the model ${how}.${words === '' ? '' : ` Its last words: ${words}`}`;
    return () => new CaptiousError('interrupted', message, { remedy: resume });
  }

  /** While somebody waits, the child keeps this process alive and is watched. */
  private hold(child: ChildProcess): void {
    if (this.watch !== undefined) return;
    child.ref();
    child.channel?.ref();
    this.idleTicks = 0;
    // Ticks are counted, not hours: a laptop that slept did not let the model hang.
    this.watch = setInterval(() => {
      this.idleTicks++;
      if (this.overdue) child.kill('SIGKILL');
    }, this.tickMs);
  }

  private letGo(child: ChildProcess): void {
    clearInterval(this.watch);
    this.watch = undefined;
    this.idleTicks = 0;
    child.unref();
    child.channel?.unref();
    const stderr = child.stderr as (NodeJS.ReadableStream & { unref?: () => void }) | null;
    stderr?.unref?.();
  }

  private get tickMs(): number {
    return Math.min(1000, this.stepDeadlineMs / 4);
  }

  private get overdue(): boolean {
    return this.idleTicks * this.tickMs >= this.stepDeadlineMs;
  }
}

function fromWire({ kind, message, at, remedy, stack }: WireError): Error {
  if (kind !== undefined) return new CaptiousError(kind, message, { at, remedy });
  const error = new Error(english(message));
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** The bundle lies beside the bundle this runs in; from source, the source runs through the same loader. */
function sessionScript(): { script: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { script: join(__dirname, 'session.js'), execArgv: [] };
  const loader = createRequire(__filename).resolve('tsx/cjs');
  return { script: join(__dirname, 'main.ts'), execArgv: ['--require', loader] };
}
