import { Worker } from 'node:worker_threads';
import { CaptiousError } from '../../base/errors';
import type { JobContext } from './jobContext';
import { encodeImages, prepareImages, takePixels } from './images';
import { memoryWords, mostMemory } from './memory';
import { scorePairs } from './pairs';
import type { Reply, Request, WireError } from '../../protocol/native';
import { compareOrders, countAbove, dropGallery, takePart } from './ranking/jobs';
import { measureSeams } from './seams';
import { makeSendable } from './sendable';
import { encodeTexts } from './texts';
import { tokenise } from './tokens';

class Stopped extends Error {}

type JobRequest = Extract<Request, { type: 'job' }>;
type JobReply = Extract<Reply, { call: number }>;

const stopped = new Set<number>();
const waiting: { request: JobRequest; work: () => Promise<JobReply> }[] = [];
let busy = false;
let current: number | undefined;

process.on('message', (request: Request) => {
  if (request.type === 'cancel') {
    const { call } = request;
    // A call that was answered meanwhile is nobody's any more.
    if (call === current || waiting.some((job) => job.request.call === call)) stopped.add(call);
    return;
  }
  waiting.push({ request, work: begin(request) });
  void workOff();
});

/** No parent, no child: also where this thread is inside a graph that never ends. */
process.on('disconnect', () => process.exit(0));
// Ctrl+C goes to the whole group of processes; the parent decides what becomes of it.
process.on('SIGINT', () => undefined);
standGuard();

/** Pictures start to be decoded while the jobs before them still run. */
function begin(request: JobRequest): () => Promise<JobReply> {
  const { call } = request;
  const context: JobContext = {
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (stopped.has(call)) throw new Stopped();
    },
    step: () => reply({ type: 'step' }),
  };
  switch (request.name) {
    case 'tokens':
      return async () => ({ type: 'done', call, answer: await tokenise(request.ask, context) });
    case 'texts':
      return async () => ({ type: 'done', call, answer: await encodeTexts(request.ask, context) });
    case 'images': {
      const pictures = prepareImages(request.ask, context.step);
      return async () => ({ type: 'done', call, answer: await encodeImages(request.ask, pictures, context) });
    }
    case 'pixels': {
      const pictures = prepareImages({ ...request.ask, perRun: request.ask.images.length }, context.step);
      return async () => ({ type: 'done', call, answer: await takePixels(request.ask, pictures, context) });
    }
    case 'seams':
      return async () => ({ type: 'done', call, answer: await measureSeams(request.ask.images, context) });
    case 'pairs':
      return async () => ({ type: 'done', call, answer: await scorePairs(request.ask, context) });
    case 'sendable':
      return async () => ({ type: 'done', call, answer: await makeSendable(request.ask, context) });
    case 'galleryPart':
      return async () => ({ type: 'done', call, answer: takePart(request.ask) });
    case 'galleryDrop':
      return async () => ({ type: 'done', call, answer: dropGallery(request.ask.gallery) });
    case 'galleryCount':
      return async () => ({ type: 'done', call, answer: await countAbove(request.ask, context) });
    case 'galleryStability':
      return async () => ({ type: 'done', call, answer: await compareOrders(request.ask, context) });
  }
}

async function workOff(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { call } = next.request;
    current = call;
    try {
      if (stopped.has(call)) throw new Stopped();
      reply(await next.work());
    } catch (error) {
      reply(
        error instanceof Stopped
          ? { type: 'cancelled', call }
          : { type: 'failed', call, error: toWire(error) },
      );
    }
    stopped.delete(call);
  }
  busy = false;
}

function reply(message: Reply): void {
  if (process.connected) process.send?.(message);
}

function toWire(error: unknown): WireError {
  if (error instanceof CaptiousError)
    return { kind: error.kind, message: error.what, at: error.at, remedy: error.details.remedy };
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
}

/** A second thread, because a graph that runs blocks this one and would not see the parent go, nor what it takes. */
function standGuard(): void {
  const source = `
    const { workerData: { most, words } } = require('node:worker_threads');
    const { writeSync } = require('node:fs');
    const parent = process.ppid;
    setInterval(() => {
      let gone = process.ppid !== parent;
      try { process.kill(parent, 0); } catch (error) { gone ||= error.code === 'ESRCH'; }
      if (gone) process.kill(process.pid, 'SIGKILL');
    }, 1000);
    setInterval(() => {
      if (process.memoryUsage.rss() <= most) return;
      writeSync(2, words);
      process.kill(process.pid, 'SIGKILL');
    }, 50);`;
  const most = mostMemory();
  const words = `${memoryWords} ${(most / 1e9).toFixed(1)} GB of memory`;
  new Worker(source, { eval: true, execArgv: [], workerData: { most, words } }).unref();
}
