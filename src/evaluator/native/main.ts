import { Worker } from 'node:worker_threads';
import { type CallContext, Calls, serving } from '../../base/calls';
import { lastWordFd } from '../../base/childProcess';
import { throwIfCancelled } from '../../base/errors';
import type { JobContext } from './jobContext';
import { decodeImages, encodeImages, prepareImages, takePixels } from './images/images';
import { mostMemory, overLimit } from './memory';
import { scorePairs } from './pairs';
import { nativeRequests } from '../../protocol/native';
import { compareOrders, compareScores, countAbove, dropGallery, takePart } from './ranking/jobs';
import { measureSeams } from './images/seams';
import { makeSendable } from './images/sendable';
import { thumbnail } from './images/thumbnail';
import { encodeTexts, openForTexts } from './texts';
import { tokenise } from './tokens';

const calls = new Calls(
  {},
  {
    send: (message) => {
      if (process.connected) process.send?.(message);
    },
    serve: serving(nativeRequests, {
      open: inTurn(({ graph }) => openForTexts(graph)),
      tokens: inTurn((ask, job) => tokenise(ask, job)),
      texts: inTurn((ask, job) => encodeTexts(ask, job)),
      // Images are prepared immediately, while earlier jobs still run.
      images: (ask, context) => {
        const pictures = prepareImages(ask, context.step);
        return inTurn(() => encodeImages(ask, pictures, jobOf(context)))(ask, context);
      },
      pixels: (ask, context) => {
        const pictures = prepareImages({ ...ask, perRun: ask.images.length }, context.step);
        return inTurn(() => takePixels(ask, pictures, jobOf(context)))(ask, context);
      },
      decoded: ({ images }, context) => decodeImages(images, context),
      seams: inTurn(({ images }, job) => measureSeams(images, job)),
      pairs: inTurn((ask, job) => scorePairs(ask, job)),
      thumbnail: inTurn((ask) => thumbnail(ask)),
      sendable: inTurn((ask, job) => makeSendable(ask, job)),
      galleryPart: inTurn((ask) => takePart(ask)),
      galleryDrop: inTurn(({ gallery }) => dropGallery(gallery)),
      galleryCount: inTurn((ask, job) => countAbove(ask, job)),
      galleryStability: inTurn((ask, job) => compareOrders(ask, job)),
      scoreStability: inTurn((ask, job) => compareScores(ask, job)),
    }),
  },
);
let last: Promise<unknown> = Promise.resolve();

process.on('message', (value: unknown) => {
  if (!calls.hear(value)) throw new Error('An unknown message arrived.');
});

/** The process exits with its parent. If a graph blocks this thread, the thread of `standGuard` ends the process. */
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches the whole process group, but the parent decides when this process ends.
process.on('SIGINT', () => undefined);
standGuard();

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
