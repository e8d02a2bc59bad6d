import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cancelled, CaptiousError, throwIfCancelled } from '../../base/errors';
import type { Ask, Outline, Reply } from './parquetDecoder';

interface Answers {
  outline: Outline;
  rows: Record<string, unknown>[];
  close: undefined;
}

/** JavaScript's own heap, in MB; pictures lie outside it. */
const heap = 1024;
const tickMs = 250;

/** The other end of the thread that decodes. It is ended where it stands still, and where nobody waits for it any longer. */
export class ParquetThread {
  /** One that has nothing to do is kept for the next file. */
  private static spare: ParquetThread | undefined;
  private readonly worker: Worker;
  private ended = false;
  private ticks = 0;
  private settle: ((outcome: Error | { answer: unknown }) => void) | undefined;

  private constructor() {
    const { script, execArgv } = decoderScript();
    this.worker = new Worker(script, { execArgv, resourceLimits: { maxOldGenerationSizeMb: heap } });
    this.worker.on('message', (reply: Reply) => {
      this.ticks = 0;
      if (reply.type === 'done') this.settle?.({ answer: reply.answer });
      else if (reply.type === 'failed') this.settle?.(new Error(reply.message));
    });
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('messageerror', (error) => this.end(error));
    this.worker.on('exit', () => this.end(new Error('its thread ended')));
  }

  static take(): ParquetThread {
    const thread = ParquetThread.spare ?? new ParquetThread();
    ParquetThread.spare = undefined;
    return thread;
  }

  /** One question at a time. After a failure the thread may be gone. */
  async ask<A extends Ask>(ask: A, stallMs: number, signal?: AbortSignal): Promise<Answers[A['want']]> {
    throwIfCancelled(signal);
    if (this.ended) throw new Error('its thread ended');
    this.worker.ref();
    this.ticks = 0;
    const cancel = (): void =>
      this.end(signal?.reason instanceof CaptiousError ? signal.reason : cancelled());
    signal?.addEventListener('abort', cancel, { once: true });
    // Ticks are counted, not hours: a machine that slept did not stand still.
    const watch = setInterval(() => {
      if (++this.ticks * tickMs >= stallMs)
        this.end(new Error(`nothing was decoded for ${stallMs / 1000} seconds`));
    }, tickMs);
    try {
      return await new Promise<Answers[A['want']]>((resolve, reject) => {
        this.settle = (outcome) => {
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome.answer as Answers[A['want']]);
        };
        this.worker.postMessage(ask);
      });
    } finally {
      clearInterval(watch);
      signal?.removeEventListener('abort', cancel);
      this.settle = undefined;
      this.worker.unref();
    }
  }

  /** Gives it back; `closeMs`: what it may take to let go of its file. */
  async release(closeMs: number): Promise<void> {
    if (this.ended) return;
    try {
      await this.ask({ want: 'close' }, closeMs);
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
    this.settle?.(why);
    void this.worker.terminate();
  }
}

/** The bundle lies beside the bundle this runs in; from source, the source runs through the same loader. */
function decoderScript(): { script: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { script: join(__dirname, 'parquet.js'), execArgv: [] };
  const loader = createRequire(__filename).resolve('tsx/cjs');
  return { script: join(__dirname, 'parquetDecoder.ts'), execArgv: ['--require', loader] };
}
