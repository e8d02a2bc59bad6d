import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TouchedLines } from '../../../../src/editor/text/touchedLines';

describe('lines that were edited', () => {
  it('agree with a list of lines after random edits', () => {
    const edit = fc.record({ from: fc.nat(30), removed: fc.nat(4), added: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const touched = new TouchedLines();
        const lines = Array.from({ length: 60 }, () => false);
        for (const { from, removed, added } of edits) {
          if (from + removed >= lines.length) continue;
          touched.note(from, from + removed, '\n'.repeat(added));
          lines.splice(from, removed + 1, ...Array.from({ length: added + 1 }, () => true));
        }
        const localized = touched
          .ranges(2)
          .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
        assert.deepEqual(
          localized,
          lines.flatMap((isTouched, line) => (isTouched ? [line] : [])),
        );
      }),
    );
  });

  it('are found between two lines, both included', () => {
    const touched = new TouchedLines();
    touched.note(8, 8, 'x');
    assert.deepEqual([touched.hasBetween(0, 7), touched.hasBetween(9, 20)], [false, false]);
    assert.deepEqual([touched.hasBetween(0, 8), touched.hasBetween(8, 20)], [true, true]);
  });

  it('form one range if they are close', () => {
    const touched = new TouchedLines();
    for (const line of [3, 8, 40]) touched.note(line, line, 'x');
    assert.deepEqual(touched.ranges(10), [
      { from: 3, to: 8 },
      { from: 40, to: 40 },
    ]);
  });
});
