import { join } from 'node:path';
import { Child, type Exit } from '../../base/childProcess';
import type { AnswerOf, AskOf } from '../../base/calls';
import { CaptiousError } from '../../base/errors';
import { installFolder } from '../../base/install';
import { say, type Words } from '../../base/say';
import { type Described, type OpenAsk, pythonRequests, toldByPython } from '../../protocol/python';
import { ScriptFound } from './scripts';
import { programOf } from './startup';
import { howEnded, isFull, modelFull } from '../native/lost';
import { mostMemory, overLimit } from '../native/memory';
import type { Interpreter } from './interpreter';
import { pythonLink } from './link';

type Requests = typeof pythonRequests;

export interface WorkerOptions {
  interpreter: Interpreter;
  said: Pick<OpenAsk, 'folder' | 'file' | 'object' | 'adapter' | 'sha256' | 'args' | 'scripts'>;
  /** The script of python/captious that the process runs, and its arguments. The default is the worker. */
  script?: readonly [name: string, ...args: string[]];
  /** How many milliseconds a request may run without progress. */
  stallMs: number;
  /** How many threads the numerical libraries of the process may use. */
  threads?: number;
  /** Receives messages about the worker's activity, such as an import. */
  tell: (words: string) => void;
  killAfterMs?: number;
}

/** The error when the process has ended. `again`: whether a new process may succeed. */
class WorkerLost extends CaptiousError {
  constructor(
    readonly again: boolean,
    message: Words,
    details: { remedy: Words },
  ) {
    super(again ? 'interrupted' : 'evaluator', message, details);
  }
}

interface Running {
  child: Child<Requests>;
  described: Promise<Described>;
}

/**
 * The process of the user's evaluator. It starts with the first request. If it crashes during a request, it
 * restarts, and the request is repeated once.
 */
export class PythonWorker {
  private running: Running | undefined;
  private first: Described | undefined;
  private closed = false;

  constructor(private readonly options: WorkerOptions) {}

  /** The process id; undefined while no process runs. */
  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  open(signal?: AbortSignal): Promise<Described> {
    return this.withRestart(signal, ({ described }) => described, signal);
  }

  ask<N extends Exclude<keyof Requests, 'open' | 'close'>>(
    name: N,
    ask: AskOf<Requests, N>,
    signal?: AbortSignal,
  ): Promise<AnswerOf<Requests, N>> {
    const { stallMs } = this.options;
    return this.withRestart(signal, async ({ child, described }) => {
      await described;
      return child.calls.ask(name, ask, { signal, stallMs });
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const { running } = this;
    if (running === undefined) return;
    const { child, described } = running;
    const idle = child.calls.waiting === 0;
    if (idle && (await described.then(() => true).catch(() => false)))
      await child.calls.ask('close', {}, { stallMs: closeMs }).catch(() => undefined);
    await child.close(closeMs);
  }

  /**
   * Repeats `act` once with a new process if the process ended. Only `open` passes `opening`, which can cancel the
   * start of a process. Cancelling another request must not stop a start that further requests wait for.
   */
  private async withRestart<T>(
    signal: AbortSignal | undefined,
    act: (running: Running) => Promise<T>,
    opening?: AbortSignal,
  ): Promise<T> {
    try {
      return await act(this.start(opening));
    } catch (error) {
      if (!(error instanceof WorkerLost && error.again) || this.closed || signal?.aborted) throw error;
      this.options.tell(`The evaluator process ended and was restarted: ${error.message}`);
      return act(this.start(opening));
    }
  }

  private start(signal: AbortSignal | undefined): Running {
    if (this.closed) throw new Error('The evaluator is closed.');
    if (this.running !== undefined) return this.running;
    const { interpreter, said, script = ['worker.py'], tell, threads, killAfterMs = 5000 } = this.options;
    const memory = mostMemory();
    const [command, ...rest] = interpreter.argv;
    const argv = [
      programOf(command) ?? command,
      ...rest,
      join(installFolder(), 'python', 'captious', script[0]),
      ...script.slice(1),
    ];
    let isLoaded = false;
    const child = new Child<Requests>({
      link: () => pythonLink(argv, environment(threads)),
      requests: pythonRequests,
      onMessage: (value) => tell(toldByPython(value, '').words),
      lost: (how) =>
        whyLost(how.code === memoryExit ? { ...how, cause: overLimit(memory) } : how, interpreter, isLoaded),
      onExit: () => {
        if (this.running?.child === child) this.running = undefined;
      },
      graceMs: killAfterMs,
      oneAtATime: true,
    });
    const described = child.calls
      .ask('open', { ...said, memory: Math.floor(memory), memoryExit }, { signal })
      .then((found) => {
        if ('script' in found) throw new ScriptFound(found.script);
        isLoaded = true;
        return this.checked(found);
      });
    // The caller receives the error. The process is removed, so the next request starts a new process.
    described.catch(() => {
      if (this.running?.child === child) this.running = undefined;
      child.kill();
    });
    return (this.running = { child, described });
  }

  /** Throws if a restarted worker describes a different evaluator than the first worker. */
  private checked(found: Described): Described {
    this.first ??= found;
    const identity = ({ sources, versions, device, dtype }: Described): string =>
      JSON.stringify([Object.entries(sources).sort(), Object.entries(versions).sort(), device, dtype]);
    if (identity(found) === identity(this.first)) return found;
    const changed = Object.keys(found.sources).find(
      (path) => found.sources[path] !== this.first?.sources[path],
    );
    throw new CaptiousError('interrupted', say('python.evaluatorChangedDuringRun'), {
      at: changed ?? this.options.said.file,
      remedy: say('python.runAuditAgain'),
    });
  }
}

const closeMs = 2000;
/** The exit code of a worker that exceeds its memory limit. Python and the system use other codes. */
const memoryExit = 86;
/** The system's codes for a program that another start would not find either. */
const unusable: readonly string[] = ['ENOENT', 'EACCES', 'ENOTDIR', 'UNKNOWN'];

function environment(threads: number | undefined): NodeJS.ProcessEnv {
  const { PYTHONHASHSEED = '0' } = process.env;
  return {
    ...process.env,
    // With a fixed seed, Python's sets of strings have the same order in each run.
    PYTHONHASHSEED,
    PYTHONUNBUFFERED: '1',
    PYTHONIOENCODING: 'utf-8:backslashreplace',
    ...(threads === undefined ? {} : { OMP_NUM_THREADS: String(threads), MKL_NUM_THREADS: String(threads) }),
  };
}

function whyLost(exit: Exit, { argv }: Interpreter, isLoaded: boolean): WorkerLost {
  const { cause } = exit;
  if (cause?.code === 'start' && unusable.includes(cause.values[0]))
    return new WorkerLost(false, say('python.notStarted', argv.join(' ')), {
      remedy: say('python.nameOtherInterpreter'),
    });
  const [full, shrink] = modelFull(exit);
  if (isFull(exit)) return new WorkerLost(false, full, { remedy: shrink });
  const [how, lastOutput] = howEnded({ ...exit, words: exit.words.slice(-2000) });
  if (cause?.code !== 'stalled')
    return new WorkerLost(true, say('python.processEnded', how, lastOutput), {
      remedy: say('native.runToResume'),
    });
  // The time limit for loading is fixed, so "timeout" does not change it.
  return isLoaded
    ? new WorkerLost(false, say('python.evaluatorStalled', ...cause.values, lastOutput), {
        remedy: say('python.raiseTimeout'),
      })
    : new WorkerLost(false, say('python.loadingStalled', ...cause.values, lastOutput), {
        remedy: say('python.checkImportCode'),
      });
}
