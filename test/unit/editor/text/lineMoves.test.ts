import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineMoves } from '../../../../src/editor/text/lineMoves';

describe('lines that move', () => {
  it('follow inserted and removed lines', () => {
    const moves = new LineMoves('run');
    moves.note(3, 3, 'a\nb\n');
    assert.deepEqual(
      [2, 3, 4].map((line) => moves.after(line)),
      [2, 3, 6],
    );
    moves.note(0, 1, '');
    assert.deepEqual(
      [2, 4].map((line) => moves.after(line)),
      [1, 5],
    );
    assert.equal(moves.before(5), 4);
  });

  it('agree with a list of lines after random edits', () => {
    const edit = fc.record({ from: fc.nat(30), removed: fc.nat(4), added: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const moves = new LineMoves('run');
        const lines = Array.from({ length: 60 }, (_, i) => i);
        for (const { from, removed, added } of edits) {
          if (from + removed >= lines.length) continue;
          moves.note(from, from + removed, '\n'.repeat(added));
          // Replaces the `removed` lines after line `from` with `added` new lines.
          lines.splice(from + 1, removed, ...new Array<number>(added).fill(-1));
        }
        for (const [now, then] of lines.entries()) {
          if (then >= 0) assert.equal(moves.after(then), now);
        }
      }),
    );
  });
});
