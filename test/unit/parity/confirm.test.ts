import assert from 'node:assert/strict';
import { confirm, type Confirmed } from '../../../src/parity/confirm';
import type { Measurer } from '../../../src/parity/measurer';
import type { Change } from '../../../src/parity/change';
import type { Pair } from '../../../src/parity/difference';

const change = (setting: Change['setting']): Change => ({ setting, tower: 'image', from: 'a', to: 'b' });

/** `errors`: for each set of changes, the difference from B on each image. B's scores are ±`size`. */
function confirmed(
  errors: Record<string, readonly number[]>,
  {
    searched = 0,
    found = [change('filter')],
    size = 64,
  }: { searched?: number; found?: Change[]; size?: number } = {},
): Promise<Confirmed> {
  const count = errors[''].length;
  const pairs = Array.from({ length: count }, (_, i): Pair => {
    const source = { name: String(i), bytes: new Uint8Array() };
    return { image: { kind: 'image', source, transforms: [] }, caption: 'a' };
  });
  const target = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? size : -size));
  const measurer: Pick<Measurer, 'scores' | 'target'> = {
    target,
    scores: (changes) => {
      const key = changes
        .map(({ setting }) => setting)
        .sort()
        .join(' ');
      return Promise.resolve({ scores: Float64Array.from(errors[key], (error, i) => target[i] + error) });
    },
  };
  return confirm(measurer as Measurer, pairs, found, { searched, rounding: 1e-12 });
}

const each = (count: number, of: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => of(i));

describe('confirmation of causes', () => {
  it('gives the removed share with the interval of a ratio over images', async () => {
    // 0.1 or 0.3 of each image's squared difference of 1 is left: 0.8 ± t(0.975, 23) · 0.1 · √(24 / 23) / √24.
    const left = each(24, (i) => Math.sqrt(i % 2 === 0 ? 0.1 : 0.3));
    const { rated, doubted, removed } = await confirmed({ '': each(24, () => 1), filter: left });
    assert.deepEqual(doubted, []);
    assert.ok(Math.abs(rated[0].together - 0.8) < 1e-12);
    assert.ok(Math.abs(removed! - 0.8) < 1e-12);
    const reach = (2.0686576104 * 0.1) / Math.sqrt(23);
    const [low, high] = rated[0].interval!;
    assert.ok(Math.abs(low - 0.8 + reach) < 1e-9 && Math.abs(high - 0.8 - reach) < 1e-9);
  });

  const doubt = async (errors: Record<string, readonly number[]>, searched = 0): Promise<string> => {
    const { rated, doubted } = await confirmed(errors, { searched });
    assert.equal(rated.length, 0);
    return doubted[0].why;
  };

  it('names no cause below 20 images', async () => {
    assert.equal(await doubt({ '': each(19, () => 1), filter: each(19, () => 0) }), 'images');
    const { rated } = await confirmed({ '': each(20, () => 1), filter: each(20, () => 0) });
    assert.equal(rated.length, 1);
  });

  it('names no cause that changes fewer than 5 of the images it was not found on', async () => {
    const filter = each(24, (i) => (i < 16 ? 0 : 1));
    assert.equal(await doubt({ '': each(24, () => 1), filter }, 12), 'acting');
    const { rated } = await confirmed(
      { '': each(24, (i) => (i < 17 ? 1 : 0)), filter: each(24, () => 0) },
      { searched: 12 },
    );
    assert.equal(rated[0].acting, 5);
  });

  it('names no cause whose interval contains 0, and none that leaves more than it removes', async () => {
    // One image has nearly all of the difference, so the share of another sample could be any.
    const filter = each(24, (i) => (i === 0 ? 0 : 1.1));
    assert.equal(await doubt({ '': each(24, (i) => (i === 0 ? 20 : 1)), filter }), 'interval');
    assert.equal(await doubt({ '': each(24, () => 1), filter: each(24, () => Math.sqrt(0.6)) }), 'share');
  });

  it('names no cause if what is left is more than half of the variance of the scores', async () => {
    const errors = { '': each(24, () => 10), filter: each(24, () => 1) };
    for (const [size, named] of [
      [1.5, 1],
      [1.4, 0],
    ]) {
      const { rated, doubted, removed } = await confirmed(errors, { size });
      assert.equal(rated.length, named);
      assert.deepEqual(
        doubted.map(({ why }) => why),
        named === 1 ? [] : ['mean'],
      );
      assert.equal(removed === null, named === 0);
    }
  });

  it('names a cause that leaves nothing, although B gives all of these pairs the same score', async () => {
    const { rated } = await confirmed({ '': each(24, () => 1), filter: each(24, () => 0) }, { size: 0 });
    assert.equal(rated.length, 1);
  });

  it('measures a cause with those that too few images show', async () => {
    // The crop changes one image by 10. Without it, the activation's difference of 1 would be nothing.
    const on = (crop: number, others: number): number[] => each(24, (i) => (i === 0 ? crop : others));
    const errors = {
      '': on(10, 1),
      cropRounding: on(0, 1),
      imageActivation: on(10.2, 0),
      'cropRounding imageActivation': on(0, 0),
    };
    const found = [change('imageActivation'), change('cropRounding')];
    const { rated, doubted } = await confirmed(errors, { found });
    assert.deepEqual(
      [...rated, ...doubted].map(({ setting }) => setting),
      ['imageActivation', 'cropRounding'],
    );
    assert.equal(rated[0].together, 1);
    assert.equal(doubted[0].why, 'acting');
  });
});
