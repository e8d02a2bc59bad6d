import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findWhole, LineMoves } from '../../../src/editor/text/lineMoves';

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
          // The first line stays in place; those after it up to `to` are joined to it.
          lines.splice(from + 1, removed, ...new Array<number>(added).fill(-1));
        }
        for (const [now, then] of lines.entries()) {
          if (then >= 0) assert.equal(moves.after(then), now);
        }
      }),
    );
  });

  it('finds a caption in every spelling of a file', () => {
    const found = (source: string, text: string) => {
      const place = findWhole(source, text);
      return place === undefined ? undefined : source.slice(place.start, place.end);
    };
    assert.equal(found('{"caption": "a \\"red\\" bus"}', 'a "red" bus'), 'a \\"red\\" bus');
    assert.equal(found('x,"a ""red"" bus"', 'a "red" bus'), 'a ""red"" bus');
    assert.equal(found('x,"""red"" bus"', '"red" bus'), '""red"" bus');
    assert.equal(found('{"caption": "a caf\\u00e9"}', 'a café'), 'a caf\\u00e9');
    assert.equal(found('1.jpg#0\ta red bus', 'a red bus'), 'a red bus');
    assert.equal(found('1.jpg| 0| a red bus .', 'a red bus .'), 'a red bus .');
    assert.equal(found("1,\"['a red bus', 'a cat']\"", 'a cat'), 'a cat');
    assert.equal(found('["a red bus","a cat"]', 'a red bus'), 'a red bus');
    assert.equal(found('"A red bus. \\n"', 'A red bus.'), 'A red bus.');
    assert.equal(found('{"caption": "a blue bus"}', 'a red bus'), undefined);
  });

  it('does not mistake a longer caption for the one it contains', () => {
    for (const source of [
      '{"caption": "a red bus on a road"}',
      '{"caption": "there is a red bus"}',
      '{"caption": "a road, a red bus"}',
      '{"caption": "a red bus, a road"}',
      '1.jpg#0\tnot a red bus',
      '1.jpg,a red bus and more',
    ])
      assert.equal(findWhole(source, 'a red bus'), undefined, source);
  });

  it('prefers the caption to an equal text in another field', () => {
    const source = '{"title": "a red bus", "caption": "a red bus"}';
    assert.equal(findWhole(source, 'a red bus', 30)?.start, source.lastIndexOf('a red bus'));
  });
});
