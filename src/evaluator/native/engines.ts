import { Engine, type EngineOptions } from './engine';
import type { JobName, Jobs } from '../../protocol/native';
import type { Runtime } from '../model/runtime';

/** More processes than this have not been seen to help. */
const most = 4;
/** Each process holds the weights, and about as much again to work with. */
const weightsInAll = 400 << 20;

/**
 * How many processes share the threads. Two processes of one thread encode up to 1.4 times as much as one process of two,
 * whose threads wait for each other at every layer; a large model is not worth holding twice.
 */
export function processesFor(weights: number, { threads, provider }: Runtime): number {
  if (provider !== 'cpu') return 1;
  return Math.max(1, Math.min(most, threads, Math.floor(weightsInAll / Math.max(1, weights))));
}

export interface EnginesOptions extends EngineOptions {
  /** How many; by default as many as the model's size and the threads suggest. */
  processes?: number;
}

/** Whatever does a job of that name: a process on this machine, or a server elsewhere. */
export interface Runs<K extends JobName> {
  run(name: K, ask: Jobs[K]['ask'], signal?: AbortSignal): Promise<Jobs[K]['answer']>;
}

/** Several processes that hold the same model. Each call goes to the one with the least to do. */
export class Engines {
  private readonly engines: { engine: Engine; calls: number }[];

  constructor(count: number, options?: EngineOptions) {
    this.engines = Array.from({ length: count }, () => ({ engine: new Engine(options), calls: 0 }));
  }

  /** Of the processes that run now. */
  get pids(): number[] {
    return this.engines.flatMap(({ engine: { pid } }) => (pid === undefined ? [] : [pid]));
  }

  async run<K extends JobName>(
    name: K,
    ask: Jobs[K]['ask'],
    signal?: AbortSignal,
  ): Promise<Jobs[K]['answer']> {
    const idlest = this.engines.reduce((least, other) => (other.calls < least.calls ? other : least));
    idlest.calls++;
    try {
      return await idlest.engine.run(name, ask, signal);
    } finally {
      idlest.calls--;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map(({ engine }) => engine.close()));
  }
}
