import assert from 'node:assert/strict';
import type { InvarianceRow } from '../../../../src/probe/invariance/row';
import { box, drive, example, instancesOf, size } from './drive';
import { findSaid } from '../../../../src/base/say';

describe('captions of moved objects with others of their kind', () => {
  // Image `one` has a large dog on the left and a small dog on the right. Image `two` has no small dog. A move
  // into a left quadrant leaves the large dog on the left.
  const dogs = {
    one: [box('dog', 8, 20, 30, 30), box('dog', 84, 30, 10, 10), box('cat', 60, 2, 5, 5)],
    two: [box('dog', 8, 20, 30, 30), box('cat', 84, 30, 10, 10)],
  };
  const movesOf = (id: string, descriptor?: string) =>
    drive([example(id)], instancesOf(dogs), {
      options: { societal: false, leastMove: 0.01, ...(descriptor === undefined ? {} : { descriptor }) },
    }).rows[0];
  const moved = (row: InvarianceRow) => row.variants.filter(({ family }) => family === 'reposition');

  it('stay as they are by default', () => {
    const row = movesOf('one');
    assert.ok(moved(row).length === 4 && moved(row).every(({ text }) => text === undefined));
    assert.deepEqual(movesOf('one', 'never'), row);
  });

  it('name a side that is true before and after the move, in both images', () => {
    const row = movesOf('one', 'plain');
    assert.equal(moved(row).length, 4);
    const centre = { x: 8 + 15, y: 20 + 15 };
    let named = 0;
    for (const { text, againstText, transform, variant, against } of moved(row)) {
      assert.equal(text, againstText);
      assert.ok(transform?.op === 'move');
      const stays = Math.max(centre.x, centre.x + transform.dx) < size.width / 2;
      assert.equal(text, stays ? 'There is a dog on the left.' : undefined, variant);
      if (text === undefined) assert.equal(against, row.score);
      else named++;
    }
    assert.ok(named >= 1 && named < 4, String(named));
  });

  it('leave out the other moves, if asked', () => {
    const row = movesOf('one', 'leaveOut');
    const [all, kept] = [moved(movesOf('one', 'plain')), moved(row)];
    assert.deepEqual(
      kept.map(({ variant }) => variant),
      all.filter(({ text }) => text !== undefined).map(({ variant }) => variant),
    );
    assert.equal(
      row.rejected.filter(({ reason }) => findSaid(reason, 'invariance.noSideForMove')).length,
      all.length - kept.length,
    );
  });

  it('do not name a side if the object is the only one of its kind', () => {
    assert.deepEqual(movesOf('two', 'leaveOut'), movesOf('two'));
  });
});
