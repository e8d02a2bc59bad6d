import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalOf } from '../../../../src/base/text/decimal';
import { endOf, within, withoutEnd } from '../../../../src/base/text/ends';
import { oneLine } from '../../../../src/base/text/oneLine';
import { pauses } from '../../../../src/base/errors';

const texts = fc.array(fc.constantFrom('a', '.', ' ', '\n', '\u2028', '😀', '\ud83d', '\ude00', '7', '_'), {
  maxLength: 12,
});

describe('the ends of a text', () => {
  it('are trimmed as by a pattern', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        assert.equal(withoutEnd(text, /[. ]/), text.replace(/[. ]+$/, ''));
        assert.equal(text.slice(endOf(text, /\d/)), /\d*$/.exec(text)![0]);
        const signs = /[^\p{L}\p{N}]/u;
        assert.equal(within(text, signs), text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
      }),
    );
  });

  it('stay, but lines are joined by one space', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        assert.equal(oneLine(text), text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' '));
      }),
    );
  });
});

describe('a decimal number', () => {
  it('has digits, and nothing that only JavaScript reads', () => {
    for (const [text, value] of [
      ['1', 1],
      [' -1.5e-3 ', -0.0015],
      ['+.5', 0.5],
      ['5.', 5],
      ['1e999', Infinity],
      ['9'.repeat(309), Infinity],
    ] as const)
      assert.equal(decimalOf(text), value);
    for (const text of ['', ' ', '0x10', '1 2', '.', 'e5', '1e', '1_0', 'Infinity', '9'.repeat(600_000)])
      assert.equal(decimalOf(text), undefined, text.slice(0, 9));
  });
});

describe('a long computation', () => {
  it('hears a signal within its pauses', async () => {
    const stop = new AbortController();
    const pause = pauses(stop.signal);
    setImmediate(() => stop.abort());
    await assert.rejects(async () => {
      for (;;) await pause();
    }, /[Cc]ancel/);
  });
});
