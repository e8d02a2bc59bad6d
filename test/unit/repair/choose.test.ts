import assert from 'node:assert/strict';
import { Random } from '../../../src/base/random';
import { chooseShare } from '../../../src/repair/choose';
import type { TrainingPair } from '../../../src/repair/fit';
import { identity } from '../../../src/repair/lowRank';
import { recall } from '../../../src/repair/recall';
import { defaultFit } from '../../../src/repair/repair';

const unit = (...row: number[]): Float64Array => {
  const length = Math.hypot(...row);
  return Float64Array.from(row, (value) => value / length);
};

const asIs = (dimension: number) => ({
  text: identity(dimension, 1, new Random(1, 'text')),
  image: identity(dimension, 1, new Random(1, 'image')),
});

describe('recall among images', () => {
  it('ranks entries with the score of the true entry before it', () => {
    const right = unit(1, 0);
    const up = unit(0, 1);
    const trainingPair = (image: Float64Array, caption: Float64Array): TrainingPair => ({
      image,
      corruptImages: [undefined],
      captions: [{ row: caption, corrupt: [undefined] }],
    });
    assert.deepEqual(recall([trainingPair(right, right), trainingPair(up, up)], asIs(2)), {
      clean: 1,
      stressed: 1,
    });
    // Both captions are exactly between the images, so all scores are equal.
    const between = unit(1, 1);
    assert.deepEqual(recall([trainingPair(right, between), trainingPair(up, between)], asIs(2)), {
      clean: 0.5,
      stressed: 0.5,
    });
  });

  it("counts corrupted items as candidates, including the query's own", () => {
    const right = unit(1, 0);
    const one: TrainingPair = {
      image: right,
      corruptImages: [unit(1, 0.1), undefined],
      captions: [
        { row: unit(1, 0.2), corrupt: [unit(1, 0.05), unit(1, 0.1)] },
        { row: unit(0, 1), corrupt: [undefined, unit(1, 0.15)] },
      ],
    };
    // Three altered captions precede the image's better caption: 1/4. An altered image precedes the image for
    // each of the two captions: 1/2.
    assert.deepEqual(recall([one], asIs(2)), { clean: 1, stressed: (1 / 4 + 1 / 2) / 2 });
  });
});

describe('the share of a correction', () => {
  const dimension = 6;
  const random = new Random(5, 'test.choose');
  const row = () => unit(...Array.from({ length: dimension }, () => random.uniform() - 0.5));
  /**
   * Makes a pair whose altered caption is usually closer to the image than the true one. The last coordinate is
   * positive in the altered caption, negative in the true one and 0 in the image.
   */
  const learnable = (): TrainingPair => {
    const image = row();
    image[dimension - 1] = 0;
    const caption = Float64Array.from(image, (value) => value + 0.25 * (random.uniform() - 0.5));
    caption[dimension - 1] = -0.1;
    const altered = Float64Array.from(image, (value) => value + 0.05 * (random.uniform() - 0.5));
    altered[dimension - 1] = 0.1;
    return {
      image: unit(...image),
      corruptImages: [undefined],
      captions: [{ row: unit(...caption), corrupt: [unit(...altered)] }],
    };
  };
  /** Makes a pair of random rows, so that nothing distinguishes altered captions from true ones. */
  const hopeless = (): TrainingPair => ({
    image: row(),
    corruptImages: [row()],
    captions: [{ row: row(), corrupt: [row()] }],
  });
  const options = { ...defaultFit, rank: 3, epochs: 60, rate: 0.02 };

  it('is positive if it improves recall on held-out images', async () => {
    const { trials, chosen } = await chooseShare(Array.from({ length: 40 }, learnable), options, 0.05, 1);
    assert.ok(chosen.share > 0);
    assert.ok(chosen.stressed > trials[0].stressed + 0.05, JSON.stringify(trials));
    assert.ok(chosen.clean >= trials[0].clean - 0.05);
  });

  it('is zero if no share improves recall at that cost', async () => {
    const { trials, chosen } = await chooseShare(Array.from({ length: 20 }, hopeless), options, 0, 1);
    const better = trials.filter(
      ({ clean, stressed }) => clean >= trials[0].clean && stressed > trials[0].stressed,
    );
    assert.equal(chosen.share === 0, better.length === 0);
    const none = await chooseShare(Array.from({ length: 20 }, hopeless), options, -1, 1);
    assert.equal(none.chosen.share, 0);
  });

  it('is reproducible, and stops when cancelled', async () => {
    const trainingPairs = Array.from({ length: 10 }, learnable);
    const twice = [
      await chooseShare(trainingPairs, options, 0, 7),
      await chooseShare(trainingPairs, options, 0, 7),
    ];
    assert.deepEqual(twice[0], twice[1]);
    const stop = new AbortController();
    const active = chooseShare(trainingPairs, { ...options, epochs: 1e9 }, 0, 7, {
      signal: stop.signal,
      onEpoch: (epoch) => {
        if (epoch === 3) stop.abort();
      },
    });
    await assert.rejects(active);
  });
});
