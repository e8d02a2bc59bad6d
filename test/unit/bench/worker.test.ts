import assert from 'node:assert/strict';
import { BatchWorker } from '../../../src/bench/worker';
import { Task } from '../../../src/bench/task';
import type { Outcome } from '../../../src/base/outcome';
import { batchesAhead } from '../../../src/evaluator/model/imageTower';
import { prepareImages } from '../../../src/evaluator/native/images/images';
import { type Prepared, ThreadPool } from '../../../src/evaluator/native/images/threadPool';
import type { ImageSpec } from '../../../src/protocol/imageSpec';
import type { ImageItem } from '../../../src/protocol/item';
import { FakeEvaluator } from './fakeEvaluator';

const perBatch = 8;

/** Time that passes only from event to event. Events of the same time happen in the order in which they were added. */
class Time {
  now = 0;
  private readonly events: { at: number; happen: () => void }[] = [];

  at(at: number, happen: () => void): void {
    const place = this.events.findLastIndex((event) => event.at <= at);
    this.events.splice(place + 1, 0, { at, happen });
  }

  after(duration: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + duration, resolve));
  }

  async pass(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.events.shift();
      if (next === undefined) return;
      this.now = next.at;
      next.happen();
    }
  }
}

interface Machine {
  cores: number;
  /** The time that a core takes to prepare an image. */
  prepare: number;
  /** The time that the device takes for a batch. */
  run: number;
  ahead?: number;
}

/**
 * The times at which the device begins its batches. The queue, the preparation of a batch and the pool of threads are
 * Captious's own. A thread has a core for itself. While the device works, the main thread of its process is blocked, as
 * it is by ONNX Runtime, and gets messages only afterwards.
 */
async function begins(batches: number, { cores, prepare, run, ahead }: Machine): Promise<number[]> {
  const time = new Time();
  const found: number[] = [];
  let blockedUntil = 0;
  const onMain = (happen: () => void): void =>
    blockedUntil > time.now ? time.at(blockedUntil, () => onMain(happen)) : happen();
  const pool = new ThreadPool(cores, (answer: (prepared: Prepared) => void) => {
    let freeAt = 0;
    const send = (): void => {
      freeAt = Math.max(freeAt, time.now) + prepare;
      time.at(freeAt, () => onMain(() => answer({ ok: true, pixels: new Float32Array(1) })));
    };
    return { send, hold: () => undefined };
  });
  let last = Promise.resolve();
  const encode = async (images: readonly ImageItem[]): Promise<Outcome<Float32Array>[]> => {
    await new Promise<void>((resolve) => onMain(resolve));
    const preparation = prepareImages(
      { images, spec: {} as ImageSpec, perRun: perBatch },
      () => undefined,
      pool,
    );
    last = last.then(async () => {
      await time.after(0);
      await preparation.take(images.length);
      await time.after(0);
      found.push(time.now);
      blockedUntil = time.now + run;
      await time.after(run);
    });
    await last;
    return images.map(() => ({ ok: true, value: new Float32Array(8) }));
  };
  const evaluator = Object.assign(new FakeEvaluator(), { embedImages: encode, ...(ahead && { ahead }) });
  let arrived = 0;
  const worker = new BatchWorker(
    evaluator,
    { texts: 32, images: perBatch, tokens: 4096, isSteady: true },
    {
      begin: () => undefined,
      held: () => false,
      arrived: (tasks) => Promise.resolve(void (arrived += tasks.length)),
      failed: (_tasks, error) => assert.fail(String(error)),
    },
  );
  const images = Array.from({ length: batches * perBatch }, (_, i) => {
    const image: ImageItem = { kind: 'image', source: { name: `${i}`, path: `${i}` }, transforms: [] };
    return new Task(`${i}`, Buffer.from(`${i}`), { kind: 'image', image }, false);
  });
  worker.add(images);
  await time.pass();
  assert.equal(arrived, images.length);
  assert.equal(found.length, batches);
  return found;
}

/** The share of the time in which the device works, from the start to the end of the last batch. */
async function utilisation(batches: number, machine: Machine): Promise<number> {
  const found = await begins(batches, machine);
  return (batches * machine.run) / (found.at(-1)! + machine.run);
}

describe('the queue of images of a device', () => {
  it('waits only for the first batch, if few cores prepare images faster than the device takes them', async () => {
    // Each core prepares eight or two images of the first batch, of which each takes 5.
    for (const [cores, fill] of [
      [1, 40],
      [4, 10],
    ]) {
      const found = await utilisation(50, { cores, prepare: 5, run: fill + 1 });
      assert.equal(found, (50 * (fill + 1)) / (fill + 50 * (fill + 1)));
    }
  });

  it('is as fast as the cores, if these are slower than the device', async () => {
    // A batch takes 40 / cores, and the device half of it.
    for (const cores of [1, 4]) {
      const found = await utilisation(50, { cores, prepare: 5, run: 20 / cores });
      assert.equal(found, 1000 / (2000 + 20));
    }
  });

  for (const cores of [1, 4, 16, 64])
    it(`keeps a device busy until ${cores} cores are the limit, once there are enough threads`, async () => {
      // The device takes this many times as long for a batch as all cores do.
      for (const slower of [1.25, 1.05, 0.8, 0.5]) {
        const run = (slower * perBatch * 5) / cores;
        const found = await begins(300, { cores, prepare: 5, run, ahead: batchesAhead(cores) });
        const share = (150 * run) / (found[299] - found[149]);
        assert.ok(Math.abs(share - Math.min(1, slower)) < 0.005, `${slower}: ${share}`);
      }
    });

  it('lets a device of many cores wait, if only one batch is prepared ahead', async () => {
    // At most 16 images are then in progress, each of which waits for the end of a run.
    const run = (1.25 * perBatch * 5) / 64;
    const found = await begins(300, { cores: 64, prepare: 5, run });
    assert.ok((150 * run) / (found[299] - found[149]) < 0.3);
  });
});
