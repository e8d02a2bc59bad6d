import assert from 'node:assert/strict';
import { Random } from '../../../../../src/base/random';
import { atOnce } from '../../../../../src/base/turns/steps';
import type { Item } from '../../../../../src/probe/benchmark/items';
import { surplus, unbalanced, type Unbalanced } from '../../../../../src/probe/benchmark/refine/balance';

const words = 'dog cat man boy girl car bus tree house road bird fish cup table lamp hat'.split(' ');

function itemOf(row: number, right: string, wrong: string): Item {
  const image = `${row}.jpg`;
  const captions = [right, wrong];
  return {
    example: String(row),
    row,
    image,
    observation: image,
    captions,
    right: 0,
    isList: false,
    tags: {},
  };
}

function balanced(items: readonly Item[]): { removed: Unbalanced[]; kept: Item[]; order: readonly number[] } {
  const order = [...new Set(items.map(({ row }) => row))];
  const removed = atOnce(
    unbalanced(items, {
      unitOf: items.map(({ row }) => order.indexOf(row)),
      keys: order.map((row) => [String(row)]),
      seed: 5,
    }),
  );
  const gone = new Set(removed.map(({ unit }) => order[unit]));
  return { removed, kept: items.filter(({ row }) => !gone.has(row)), order };
}

const lengthGap = ({ captions: [right, wrong] }: Item): number =>
  right.split(' ').length - wrong.split(' ').length;

describe('balance', () => {
  it('removes exactly the surplus of each cell, and draws it from all of the cell', () => {
    const cells = [
      ...Array.from({ length: 7 }, () => [[-2, 1, 0]]),
      ...Array.from({ length: 4 }, () => [[2, -1, 0]]),
      ...Array.from({ length: 3 }, () => [[0, 0, 0]]),
      [[1, 1, 1]],
      // An example with two items is opposite to one whose items are opposite, in any order.
      [
        [1, 0, 0],
        [3, 0, 0],
      ],
      [
        [-3, 0, 0],
        [-1, 0, 0],
      ],
      [
        [1, 0, 0],
        [-1, 0, 0],
      ],
    ];
    const keys = cells.map((_, unit) => [String(unit)]);
    const found = [1, 2, 3, 4].map((seed) => surplus(cells, keys, seed));
    for (const removed of found)
      assert.deepEqual(
        removed.map(({ own, opposite }) => [own, opposite]),
        [
          [7, 4],
          [7, 4],
          [7, 4],
          [1, 0],
        ],
      );
    assert.ok(found.every((removed) => removed[3].unit === 14 && removed[2].unit < 7));
    assert.ok(new Set(found.map((removed) => removed.map(({ unit }) => unit).join())).size > 1);
  });

  it('leaves as many items on each side of every gap, and cells that mirror each other', () => {
    const items = Array.from({ length: 400 }, (_, row) => {
      const draws = new Random('balance', row);
      const caption = (n: number): string => Array.from({ length: n }, () => draws.pick(words)).join(' ');
      return itemOf(row, caption(2 + draws.below(3)), caption(2 + draws.below(5)));
    });
    const { kept, removed } = balanced(items);
    assert.ok(kept.length > 40 && removed.length > 40);
    const gaps = kept.map(lengthGap);
    assert.equal(gaps.filter((gap) => gap > 0).length, gaps.filter((gap) => gap < 0).length);
    assert.deepEqual(
      balanced(items.toReversed())
        .kept.map(({ row }) => row)
        .sort(),
      kept.map(({ row }) => row).sort(),
    );
  });

  it('keeps examples whose two items are opposite, as in Winoground', () => {
    const items = Array.from({ length: 30 }, (_, row) => {
      const [a, b] = [`a ${words[row % 16]} runs far`, `${words[(row + 1) % 16]} runs`];
      return [itemOf(row, a, b), { ...itemOf(row, a, b), right: 1 }];
    }).flat();
    assert.deepEqual(balanced(items).removed, []);
  });
});
