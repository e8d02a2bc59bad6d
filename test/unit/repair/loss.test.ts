import assert from 'node:assert/strict';
import { Random } from '../../../src/base/random';
import { type Heads, lossOf, type LossOptions, type Quartet } from '../../../src/repair/loss';
import { identity, type LowRank, tableOf, turn } from '../../../src/repair/lowRank';

const dimension = 7;
const random = new Random(3, 'test.repair');

function unitRow(): Float64Array {
  const row = Float64Array.from({ length: dimension }, () => random.uniform() - 0.5);
  const length = Math.hypot(...row);
  return row.map((value) => value / length);
}

/** A map other than the identity, so that no part of the gradient is zero. */
function someHead(): LowRank {
  const head = identity(dimension, 3, random);
  for (let i = 0; i < head.up.length; i++) head.up[i] = random.uniform() - 0.5;
  return head;
}

const batch: Quartet[] = Array.from({ length: 4 }, (_, i) => ({
  image: unitRow(),
  caption: unitRow(),
  ...(i === 1 ? {} : { corruptImage: unitRow() }),
  ...(i === 2 ? {} : { corruptCaption: unitRow() }),
}));
const options: LossOptions = { temperature: 0.2, semantic: 0.7, visual: 0.4, decay: 0.03 };

describe('losses of a repair', () => {
  for (const only of ['all', 'contrastive', 'semantic', 'visual', 'decay'] as const) {
    it(`have the gradient of finite differences (${only})`, () => {
      const heads: Heads = { text: someHead(), image: someHead() };
      const none = { ...options, semantic: 0, visual: 0, decay: 0 };
      const chosen =
        only === 'all' ? options : only === 'contrastive' ? none : { ...none, [only]: options[only] };
      const { gradient } = lossOf(heads, batch, chosen);
      const step = 1e-5;
      let largest = 0;
      for (const tower of ['text', 'image'] as const) {
        for (const factor of ['up', 'down'] as const) {
          const weights = heads[tower][factor];
          weights.forEach((weight, i) => {
            weights[i] = weight + step;
            const above = lossOf(heads, batch, chosen).total;
            weights[i] = weight - step;
            const below = lossOf(heads, batch, chosen).total;
            weights[i] = weight;
            const expected = (above - below) / (2 * step);
            largest = Math.max(largest, Math.abs(expected));
            const actual = gradient[tower][factor][i];
            assert.ok(Math.abs(actual - expected) < 1e-7, `${tower}.${factor}[${i}]: ${actual}, ${expected}`);
          });
        }
      }
      assert.ok(largest > 1e-3);
    });
  }

  it("equal the paper's equations, with the maps as matrices", () => {
    const heads: Heads = { text: someHead(), image: someHead() };
    const through = (head: LowRank, row: Float64Array): number[] => {
      const table = tableOf(head);
      const out = [...row].map((_, i) =>
        [...row].reduce((sum, x, j) => sum + table[i * dimension + j] * x, 0),
      );
      const length = Math.hypot(...out);
      return out.map((value) => value / length);
    };
    const cos = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
    const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const images = batch.map(({ image }) => through(heads.image, image));
    const captions = batch.map(({ caption }) => through(heads.text, caption));
    const pulls = (corrupt: (number[] | undefined)[]): number =>
      mean(corrupt.flatMap((row, i) => (row ? [(cos(row, images[i]) + cos(row, captions[i])) / 2] : [])));
    const entropy = (rows: number[][], columns: number[][]): number =>
      mean(
        rows.map((row, i) => {
          const powers = columns.map((column) => Math.exp(cos(row, column) / options.temperature));
          return -Math.log(powers[i] / powers.reduce((a, b) => a + b, 0));
        }),
      );
    const found = lossOf(heads, batch, options);
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} for ${expected}`);
    near(
      found.semantic,
      pulls(batch.map((one) => one.corruptCaption && through(heads.text, one.corruptCaption))),
    );
    near(found.visual, pulls(batch.map((one) => one.corruptImage && through(heads.image, one.corruptImage))));
    near(found.contrastive, (entropy(images, captions) + entropy(captions, images)) / 2);
  });

  it('start from the identity, to the bit', () => {
    const head = identity(dimension, 3, new Random(1, 'identity'));
    const table = tableOf(head);
    for (let i = 0; i < dimension; i++)
      for (let j = 0; j < dimension; j++) assert.equal(table[i * dimension + j], i === j ? 1 : 0);
    const row = unitRow();
    turn(head, row).unit.forEach((value, i) => assert.ok(Math.abs(value - row[i]) < 1e-15));
  });
});
