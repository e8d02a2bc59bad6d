import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from '../../../src/bench/createBench';
import type { CaptiousError } from '../../../src/base/errors';
import { findSaid } from '../../../src/base/say';
import { Family } from '../../../src/evaluator/model/family';
import { makeDataset } from '../../unit/parity/plantedImages';
import { type Plant, Planting, plantsFor } from '../../unit/parity/plants';

const root = join(__dirname, '../../..');

describe('parity', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-parity-'));
  const model = join(root, 'test/fixtures/models/clip');
  const bench = createBench();
  let planting: Planting;
  let a: Family;

  before(async () => {
    const home = join(folder, 'home');
    a = await Family.describe(model, { home });
    const data = await makeDataset(folder, join(root, 'samples'), 24, { side: 32, squashes: false });
    planting = new Planting(folder, model, data, bench, a, home);
  });

  after(async () => {
    await bench.close();
    await a.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names no cause where A equals B', async () => {
    const { verdict, causes, difference } = await planting.compare([]);
    assert.equal(verdict, 'same');
    assert.deepEqual(causes, []);
    assert.equal(difference.largest, 0);
  });

  const { filter, prefix, offset, shape, limit } = plantsFor(32, 12);

  for (const [name, plant] of Object.entries({ filter, prefix, offset }))
    it(`names ${name} alone, from scores alone`, async () => {
      const { verdict, causes } = await planting.compare([plant]);
      assert.deepEqual(
        causes.map(({ setting }) => setting),
        [plant.setting],
      );
      assert.equal(verdict, 'explained');
      assert.ok(causes[0].alone > 0.9999);
    });

  it('names two causes, one of them of the images and one of the texts', async () => {
    const { verdict, causes, removed } = await planting.compare([shape, limit]);
    assert.deepEqual(causes.map(({ setting }) => setting).sort(), ['limit', 'shape']);
    assert.equal(causes.find(({ setting }) => setting === 'limit')!.to, '12');
    assert.equal(verdict, 'explained');
    assert.ok(removed! > 0.9999);
  });

  it('tells a monotone map from a fitted line, also beside another cause', async () => {
    const { exponential, weight, rounding } = plantsFor(32, 12);
    const distance: Plant = { setting: 'scale', score: (score) => Math.sqrt(2 - 2 * score) };
    const scales = async (...plants: Plant[]): Promise<string[]> => {
      const { causes, doubted } = await planting.compare(plants);
      assert.deepEqual(doubted, []);
      return causes.map(({ setting, to }) => (setting === 'scale' ? to : setting)).sort();
    };
    const monotone = 'a monotone function of cos';
    assert.deepEqual(await scales(exponential), [monotone]);
    assert.deepEqual(await scales(distance), [monotone]);
    assert.deepEqual(await scales(exponential, prefix), [monotone, 'prefix']);
    // The rounding adds to the error of the line, so that the fitted numbers are not exact.
    assert.match(
      (await scales(offset, rounding))[0],
      /^0[.]49\d+ · cos [+] 0[.]49\d+$|^0[.]5\d* · cos [+] 0[.]5/,
    );
    assert.deepEqual(await scales(weight), ['100 · cos']);
  });

  it('names no cause for scores that have nothing to do with A', async () => {
    let state = 1;
    const noise: Plant = {
      setting: 'scale',
      score: () => (state = (state * 48271) % 2147483647) / 2147483647,
    };
    const { verdict, causes, examples } = await planting.compare([noise]);
    assert.notEqual(verdict, 'explained');
    assert.deepEqual(causes, []);
    assert.equal(examples.length, 5);
  });

  it('rejects a column of equal scores', async () => {
    const plant: Plant = { setting: 'scale', score: () => 0.5 };
    await assert.rejects(planting.compare([plant]), (error: CaptiousError) => {
      assert.equal(findSaid(error.what, 'parity.constantScores')?.values[1], '0.5');
      return true;
    });
  });

  it('rejects scores that are all NaN', async () => {
    const plant: Plant = { setting: 'scale', score: () => NaN };
    await assert.rejects(planting.compare([plant]), (error: CaptiousError) => {
      assert.notEqual(findSaid(error.what, 'parity.noKnownPairs'), undefined);
      return true;
    });
  });

  it('rejects an A without a space of images and texts', async () => {
    const wrong = join(root, 'test/fixtures/models/bert-cls');
    await assert.rejects(Family.describe(wrong, { home: folder }), (error: CaptiousError) => {
      assert.notEqual(findSaid(error.what, 'parity.noSharedSpace'), undefined);
      return true;
    });
    await assert.rejects(Family.describe('cider', { home: folder }), (error: CaptiousError) => {
      assert.notEqual(findSaid(error.what, 'parity.noModelFolder'), undefined);
      return true;
    });
  });
});
