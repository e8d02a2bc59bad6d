/** The worker threads that prepare images while the main thread runs graphs. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
// Allows the loaders, which must precede the first thread.
import './decode';
import type { ImageSpec } from '../../../protocol/imageSpec';
import type { ImageItem } from '../../../protocol/item';

/** `grid`: height and width in patches, for a graph that takes patches. */
export type Prepared =
  { ok: true; pixels: Float32Array; grid?: readonly [number, number] } | { ok: false; problem: string };

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
  doing?: Waiting;
  /** The file of its last image, whose pixels it may still have. */
  last?: string;
}

/** A graph takes longer than its images on most machines. More threads would mostly take memory. */
const most = Math.min(4, availableParallelism());
const threads: Thread[] = [];
const waiting: Waiting[] = [];

/** Decodes, changes and preprocesses an image, unless `over` returns true before its turn. */
export function prepareInThread(order: Order, over: () => boolean): Promise<Prepared> {
  return new Promise((settle) => {
    waiting.push({ ...order, over, settle });
    assign();
  });
}

function assign(): void {
  while (waiting.length > 0) {
    const free = threads.find(({ doing }) => doing === undefined) ?? start();
    if (free === undefined) return;
    const known = waiting.findIndex(({ image }) => free.last !== undefined && fileOf(image) === free.last);
    const [next] = waiting.splice(Math.max(0, known), 1);
    if (next.over()) {
      next.settle({ ok: false, problem: 'cancelled' });
      continue;
    }
    free.doing = next;
    free.last = fileOf(next.image);
    free.worker.ref();
    free.worker.postMessage({ image: next.image, spec: next.spec } satisfies Order);
  }
}

function start(): Thread | undefined {
  if (threads.length === most) return undefined;
  const worker = new Worker(script());
  const thread: Thread = { worker };
  worker.on('message', (prepared: Prepared) => {
    const { doing } = thread;
    thread.doing = undefined;
    worker.unref();
    doing?.settle(prepared);
    assign();
  });
  // The parent process starts this one again.
  worker.on('error', (error) => {
    throw error;
  });
  threads.push(thread);
  return thread;
}

function fileOf({ source }: ImageItem): string | undefined {
  return 'path' in source ? source.path : undefined;
}

function script(): string {
  return join(__dirname, __filename.endsWith('.ts') ? 'preparingThread.ts' : 'prepare.js');
}
