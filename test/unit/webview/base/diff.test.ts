import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffWords } from '../../../../webview/base/diff';

const whole = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('');

describe('marking changed words', () => {
  it('marks only the changed words', () => {
    const { before, after } = diffWords('A red truck by two dogs', 'A blue truck by two dogs.');
    assert.deepEqual(
      before.filter(({ changed }) => changed).map(({ text }) => text),
      [' red'],
    );
    assert.deepEqual(
      after.filter(({ changed }) => changed).map(({ text }) => text),
      [' blue'],
    );
  });

  it('keeps every letter', () => {
    const caption = fc
      .array(fc.constantFrom('a', 'red', 'bus', ' ', '  ', 'é', '<b>', '.'))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(caption, caption, (a, b) => {
        const { before, after } = diffWords(a, b);
        assert.equal(whole(before), a);
        assert.equal(whole(after), b);
      }),
    );
  });

  it('marks nothing in equal texts', () => {
    fc.assert(
      fc.property(fc.string(), (caption) => {
        const { before } = diffWords(caption, caption);
        assert.ok(before.every(({ changed }) => !changed));
      }),
    );
  });
});
