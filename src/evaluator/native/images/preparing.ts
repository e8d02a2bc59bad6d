/** Worker threads that prepare images while the main thread runs graphs. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
// This import sets the allowed image formats before the first thread starts.
import './decode';
import type { Failure } from '../../../base/outcome';
import type { ImageSpec } from '../../../protocol/imageSpec';
import type { ImageItem } from '../../../protocol/item';

/** `grid` is the height and the width of the image in patches. It is set only if the graph reads patches. */
export type Prepared = { ok: true; pixels: Float32Array; grid?: readonly [number, number] } | Failure;

export interface Order {
  image: ImageItem;
  spec: ImageSpec;
}

interface Waiting extends Order {
  over: () => boolean;
  settle: (prepared: Prepared) => void;
}

interface Thread {
  worker: Worker;
  /** The requests that the thread has not answered yet, oldest first. The thread answers the oldest one next. */
  doing: Waiting[];
  /** The file of the last image, whose pixels may still be cached. */
  last?: string;
}

/** The most threads. More would mainly take memory: images are usually prepared faster than graphs run. */
const most = Math.min(4, availableParallelism());
/** The most images that a thread gets in advance. While a graph runs, the main thread cannot send more. */
const mostEach = 8;
const threads: Thread[] = [];
const waiting: Waiting[] = [];

/** Decodes, changes and preprocesses an image, unless `over` returns true first. */
export function prepareInThread(order: Order, over: () => boolean): Promise<Prepared> {
  return new Promise((settle) => {
    waiting.push({ ...order, over, settle });
    assign();
  });
}

function assign(): void {
  while (waiting.length > 0) {
    const free = threads.find(({ doing }) => doing.length === 0) ?? start() ?? idlest();
    if (free.doing.length === mostEach) return;
    const known = waiting.findIndex(({ image }) => free.last !== undefined && fileOf(image) === free.last);
    const [next] = waiting.splice(Math.max(0, known), 1);
    if (next.over()) {
      next.settle({ ok: false, problem: 'cancelled' });
      continue;
    }
    free.doing.push(next);
    free.last = fileOf(next.image);
    free.worker.ref();
    free.worker.postMessage({ image: next.image, spec: next.spec } satisfies Order);
  }
}

function start(): Thread | undefined {
  if (threads.length === most) return undefined;
  const { path, execArgv } = script();
  const worker = new Worker(path, { execArgv });
  const thread: Thread = { worker, doing: [] };
  worker.on('message', (prepared: Prepared) => {
    const done = thread.doing.shift();
    if (thread.doing.length === 0) worker.unref();
    done?.settle(prepared);
    assign();
  });
  // The error ends this process. The parent process starts a new process at its next call.
  worker.on('error', (error) => {
    throw error;
  });
  threads.push(thread);
  return thread;
}

function idlest(): Thread {
  return threads.reduce((least, other) => (other.doing.length < least.doing.length ? other : least));
}

function fileOf({ source }: ImageItem): string | undefined {
  return 'path' in source ? source.path : undefined;
}

function script(): { path: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { path: join(__dirname, 'prepare.js'), execArgv: [] };
  const loader = createRequire(__filename).resolve('tsx/cjs');
  return { path: join(__dirname, 'preparingThread.ts'), execArgv: ['--require', loader] };
}
