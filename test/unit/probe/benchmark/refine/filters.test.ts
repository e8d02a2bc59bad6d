import assert from 'node:assert/strict';
import { atOnce } from '../../../../../src/base/turns/steps';
import type { Item } from '../../../../../src/probe/benchmark/items';
import { type Filter, removals, type Unit } from '../../../../../src/probe/benchmark/refine/filters';

type Made = readonly [image: string, right: string, wrong: string];

/** A row with an item for each entry. */
function unitOf(row: number, ...made: readonly Made[]): Unit {
  const items = made.map(([image, right, wrong]): Item => {
    const shared = { example: String(row), row, image, observation: image, seen: image, imageKey: image };
    return { ...shared, captions: [right, wrong], right: 0, isList: false, tags: {} };
  });
  return { items, key: made.flat() };
}

/** The removed rows with their filters, and the rows that they repeat or contradict. */
function removed(units: readonly Unit[], filters: readonly Filter[]): (number | Filter)[][] {
  return atOnce(removals(units, { filters, seed: 1, missing: new Set(['gone.jpg']) })).map(
    ({ unit, filter, partner }) => [unit, filter, ...(partner === undefined ? [] : [partner.row])],
  );
}

describe('filters of a benchmark', () => {
  it('remove both rows of a contradiction, and name the other one', () => {
    const units = [
      unitOf(0, ['1', 'a dog', 'a cat']),
      unitOf(1, ['2', 'a dog', 'a cat']),
      unitOf(2, ['1', 'a cat', 'a cow']),
    ];
    assert.deepEqual(removed(units, ['contradiction']), [
      [0, 'contradiction', 2],
      [2, 'contradiction', 0],
    ]);
  });

  it('remove a row with two items if one of them is at fault', () => {
    const units = [
      unitOf(0, ['1', 'a dog', 'a cat'], ['1', 'same', 'Same.']),
      unitOf(1, ['2', 'a b', 'b a'], ['2', 'a c', 'b a']),
      unitOf(2, ['3', 'x y', 'y x'], ['3', 'y x', 'x y']),
      unitOf(3, ['4', 'x', 'y'], ['gone.jpg', 'y', 'x']),
      unitOf(4, ['5', 'word '.repeat(80), 'y']),
    ];
    assert.deepEqual(removed(units, ['long', 'equal', 'missingImage']), [
      [0, 'equal'],
      [3, 'missingImage'],
      [4, 'long'],
    ]);
    // Only the third row has no item that words without order decide, of those without another fault.
    assert.deepEqual(
      removed(units, ['orderBlind']).map(([row]) => row),
      [0, 1, 3, 4],
    );
  });

  it('keep a row that is like removed rows only, and no row that is like one that stays', () => {
    const words = 'the old man walks with a small dog along the wide river near two tall trees today'.split(
      ' ',
    );
    const changed = (...at: number[]): Made => {
      const own = words.map((word, i) => (at.includes(i) ? `${word}x` : word)).join(' ');
      return [String(at), own, `${own} not`];
    };
    // Each row differs from the one before in one word, and in more words from those before it.
    const chain = [[], [0], [0, 8], [0, 8, 15], [0, 4, 8, 15]].map((at, row) => unitOf(row, changed(...at)));
    const found = removed(chain, ['similar']);
    const gone = new Set(found.map(([row]) => Number(row)));
    assert.ok(gone.size >= 2 && !gone.has(0));
    for (const [row, , of] of found) assert.ok(of < row && !gone.has(Number(of)), `${row} ${of}`);
    const left = chain.filter((_, row) => !gone.has(row));
    assert.deepEqual(removed(left, ['similar']), []);
  });

  it('do not compare the items of a row with one another', () => {
    const alike = 'the old man walks with a small dog along the wide river near two tall trees';
    const own: readonly Made[] = [
      ['1', alike, 'no'],
      ['1', `${alike} now`, 'no'],
    ];
    assert.deepEqual(removed([unitOf(0, ...own)], ['similar']), []);
    assert.deepEqual(removed([unitOf(0, ...own), unitOf(1, ...own)], ['similar', 'duplicate']), [
      [1, 'duplicate', 0],
    ]);
  });
});
