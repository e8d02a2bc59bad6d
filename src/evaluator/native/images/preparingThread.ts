/** A thread that prepares one image at a time. */
import { parentPort } from 'node:worker_threads';
import { applyTransforms } from '../../../perturb/transform';
import { aids, startOf } from './imageTools';
import { unreadable } from './decode';
import { patchGrid, preprocess } from './preprocess';
import type { Order, Prepared } from './threadPool';

async function prepare({ image, spec }: Order): Promise<Prepared> {
  try {
    const pixels = await applyTransforms(await startOf(image, spec.decoding), image.transforms, aids);
    const made = preprocess(pixels, spec);
    if (spec.patches === undefined) return { ok: true, pixels: made };
    const { rows, columns } = patchGrid(pixels, spec, spec.patches);
    return { ok: true, pixels: made, grid: [rows, columns] };
  } catch (error) {
    return unreadable(image.source, error);
  }
}

let last = Promise.resolve();

// The main thread expects the answers in the order of its requests.
parentPort!.on('message', (order: Order) => {
  last = last.then(async () => {
    const prepared = await prepare(order);
    parentPort!.postMessage(prepared, prepared.ok ? [prepared.pixels.buffer as ArrayBuffer] : []);
  });
});
