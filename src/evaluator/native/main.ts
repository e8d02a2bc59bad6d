import { Worker } from 'node:worker_threads';
import { type CallContext, Calls, serving } from '../../base/calls';
import { lastWordFd } from '../../base/childProcess';
import { throwIfCancelled } from '../../base/errors';
import type { JobContext } from './jobContext';
import type { Preparation, prepareImages } from './images/images';
import { mostMemory, overLimit } from './memory';
import { nativeRequests } from '../../protocol/native';

const calls = new Calls(
  {},
  {
    send: (message) => {
      if (process.connected) process.send?.(message);
    },
    serve: serving(nativeRequests, {
      open: inTurn(async ({ graph }) => (await texts()).openForTexts(graph)),
      tokens: inTurn(async (ask, job) => (await import('./tokens')).tokenise(ask, job)),
      texts: inTurn(async (ask, job) => (await texts()).encodeTexts(ask, job)),
      // Images are prepared immediately, while earlier jobs still run.
      images: (ask, context) => {
        const preparation = prepared(ask, context);
        return inTurn(async () => (await images()).encodeImages(ask, await preparation, jobOf(context)))(
          ask,
          context,
        );
      },
      pixels: (ask, context) => {
        const preparation = prepared({ ...ask, perRun: ask.images.length }, context);
        return inTurn(async () => (await images()).takePixels(ask, await preparation, jobOf(context)))(
          ask,
          context,
        );
      },
      decoded: async (ask, context) => (await images()).decodeImages(ask.images, context, (pixels) => pixels),
      looks: async (ask, context) => {
        const { lookOf } = await import('./images/look');
        return (await images()).decodeImages(ask.images, context, lookOf);
      },
      seams: inTurn(async (ask, job) => (await import('./images/seams')).measureSeams(ask.images, job)),
      pairs: inTurn(async (ask, job) => (await import('./pairs')).scorePairs(ask, job)),
      thumbnail: inTurn(async (ask) => (await import('./images/thumbnail')).thumbnail(ask)),
      sendable: inTurn(async (ask, job) => (await import('./images/sendable')).makeSendable(ask, job)),
      galleryPart: inTurn(async (ask) => (await ranking()).takePart(ask)),
      galleryDrop: inTurn(async ({ gallery }) => (await ranking()).dropGallery(gallery)),
      galleryCount: inTurn(async (ask, job) => (await ranking()).countAbove(ask, job)),
      galleryStability: inTurn(async (ask, job) => (await ranking()).compareOrders(ask, job)),
      scoreStability: inTurn(async (ask, job) => (await ranking()).compareScores(ask, job)),
    }),
  },
);
let last: Promise<unknown> = Promise.resolve();

// A process loads the native libraries of its jobs only. A process for tokens needs neither, and starts in half the time.
const texts = () => import('./texts');
const images = () => import('./images/images');
const ranking = () => import('./ranking/jobs');

process.on('message', (value: unknown) => {
  if (!calls.hear(value)) throw new Error('An unknown message arrived.');
});

/** The process exits with its parent. If a graph blocks this thread, the thread of `standGuard` ends the process. */
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches the whole process group, but the parent decides when this process ends.
process.on('SIGINT', () => undefined);
standGuard();

function prepared(ask: Parameters<typeof prepareImages>[0], { step }: CallContext): Promise<Preparation> {
  const preparation = images().then(({ prepareImages }) => prepareImages(ask, step));
  // An earlier job may still run when this fails. The job of these images reports it.
  preparation.catch(() => undefined);
  return preparation;
}

function jobOf({ signal, step }: CallContext): JobContext {
  return {
    pause: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throwIfCancelled(signal);
    },
    step,
  };
}

/** Runs jobs one after the other. */
function inTurn<A, T>(
  work: (ask: A, job: JobContext) => Promise<T> | T,
): (ask: A, context: CallContext) => Promise<T> {
  return (ask, context) => {
    const turn = last.then(() => {
      throwIfCancelled(context.signal);
      return work(ask, jobOf(context));
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** A second thread watches the parent and the memory limit, because a graph blocks this thread. */
function standGuard(): void {
  const source = `
    const { workerData: { most, lastWord, parent, first } } = require('node:worker_threads');
    const { writeSync } = require('node:fs');
    setInterval(() => {
      let gone = process.ppid !== first;
      try { process.kill(parent, 0); } catch (error) { gone ||= error.code === 'ESRCH'; }
      if (gone) process.kill(process.pid, 'SIGKILL');
    }, 1000);
    setInterval(() => {
      if (process.memoryUsage.rss() <= most) return;
      writeSync(${lastWordFd}, lastWord);
      process.kill(process.pid, 'SIGKILL');
    }, 50);`;
  const most = mostMemory();
  // The parent may end before the second thread runs, so this thread reads the ids.
  const parent = Number(process.argv[2]);
  const workerData = { most, lastWord: JSON.stringify(overLimit(most)), parent, first: process.ppid };
  new Worker(source, { eval: true, execArgv: [], workerData }).unref();
}
