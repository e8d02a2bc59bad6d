import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type AnswerOf, type AskOf, Calls } from '../../base/calls';
import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { parquetRequests } from '../../protocol/parquet';

type Requests = typeof parquetRequests;

/** The thread's JavaScript heap in MB. Images are outside the heap. */
const heap = 1024;

/** The thread that decodes Parquet files. It is terminated if a read stalls or the caller cancels. */
export class ParquetThread {
  /** An idle thread for the next file. */
  private static spare: ParquetThread | undefined;
  private readonly worker: Worker;
  private ended = false;
  private readonly calls = new Calls(parquetRequests, {
    send: (message) => {
      this.worker.postMessage(message);
    },
    graceMs: 0,
    oneAtATime: true,
    overdue: (_name, ms) => new Reason(say('dataset.nothingDecoded', ms / 1000)),
    onHung: (why) => this.end(why),
    onBusy: (busy) => {
      if (busy) this.worker.ref();
      else this.worker.unref();
    },
  });

  private constructor() {
    const { script, execArgv } = decoderScript();
    this.worker = new Worker(script, { execArgv, resourceLimits: { maxOldGenerationSizeMb: heap } });
    this.worker.on('message', (value) => {
      try {
        if (!this.calls.hear(value)) throw new Error('its thread sent an unknown message');
      } catch (error) {
        this.end(error as Error);
      }
    });
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('messageerror', (error) => this.end(error));
    this.worker.on('exit', () => this.end(new Reason(say('dataset.decoderEnded'))));
  }

  static take(): ParquetThread {
    const thread = ParquetThread.spare ?? new ParquetThread();
    ParquetThread.spare = undefined;
    return thread;
  }

  /** `stallMs`: milliseconds without progress before the request fails. A failure may terminate the thread. */
  ask<N extends keyof Requests>(
    name: N,
    ask: AskOf<Requests, N>,
    stallMs: number,
    signal?: AbortSignal,
  ): Promise<AnswerOf<Requests, N>> {
    return this.calls.ask(name, ask, { stallMs, signal });
  }

  /** Closes the file, and keeps one idle thread for the next file. `closeMs` limits the time for closing. */
  async release(closeMs: number): Promise<void> {
    if (this.ended) return;
    try {
      await this.ask('close', {}, closeMs);
    } catch (error) {
      this.end(error as Error);
      return;
    }
    if (ParquetThread.spare === undefined) ParquetThread.spare = this;
    else this.end(new Error('it is not needed'));
  }

  private end(why: Error): void {
    if (ParquetThread.spare === this) ParquetThread.spare = undefined;
    if (this.ended) return;
    this.ended = true;
    this.calls.end(() => why);
    void this.worker.terminate();
  }
}

/** The script of the thread: in a bundle, the built script in the bundle's folder; under tsx, the TypeScript file. */
function decoderScript(): { script: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { script: join(__dirname, 'parquet.js'), execArgv: [] };
  const loader = createRequire(__filename).resolve('tsx/cjs');
  return { script: join(__dirname, 'parquetDecoder.ts'), execArgv: ['--require', loader] };
}
