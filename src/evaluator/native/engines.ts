import { Engine, type EngineOptions } from './engine';
import type { GraphRef, JobAnswer, JobAsk, JobName } from '../../protocol/native';
import type { Runtime } from '../model/runtime';

/** The most processes. In measurements, more processes gave no gain. */
const most = 4;
/** The most bytes of weights in several processes together. A process needs about twice the memory of its weights. */
const weightsInAll = 400 << 20;

/**
 * How many processes share the threads. Two processes with one thread each encode up to 1.4 times as fast as one
 * process with two threads, but need more memory.
 */
export function processesFor(weights: number, { threads, provider }: Runtime): number {
  if (provider !== 'cpu') return 1;
  return Math.max(1, Math.min(most, threads, Math.floor(weightsInAll / Math.max(1, weights))));
}

export interface EnginesOptions extends EngineOptions {
  /** The number of processes. By default, one, or up to `most` for small text encoders on the CPU. */
  processes?: number;
}

/** Runs one kind of job, in a local process or on a server. */
export interface Runs<K extends JobName> {
  run(name: K, ask: JobAsk<K>, signal?: AbortSignal): Promise<JobAnswer<K>>;
}

/** Several processes with one model. Each call goes to the least busy process. */
export class Engines {
  private readonly engines: { engine: Engine; calls: number }[];

  constructor(count: number, options?: EngineOptions) {
    this.engines = Array.from({ length: count }, () => ({ engine: new Engine(options), calls: 0 }));
  }

  get pids(): number[] {
    return this.engines.flatMap(({ engine: { pid } }) => (pid === undefined ? [] : [pid]));
  }

  async run<K extends JobName>(name: K, ask: JobAsk<K>, signal?: AbortSignal): Promise<JobAnswer<K>> {
    const idlest = this.engines.reduce((least, other) => (other.calls < least.calls ? other : least));
    idlest.calls++;
    try {
      return await idlest.engine.run(name, ask, signal);
    } finally {
      idlest.calls--;
    }
  }

  /** Loads a graph in up to `count` processes. Ignores failures, because a job then tries to load the graph again. */
  open(graph: GraphRef, count: number): void {
    for (let i = 0; i < Math.min(count, this.engines.length); i++)
      this.run('open', { graph }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map(({ engine }) => engine.close()));
  }
}
