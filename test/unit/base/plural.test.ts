import assert from 'node:assert/strict';
import { filled } from '../../../src/base/say';
import german from '../../../l10n/bundle.l10n.de.json';
import messages from '../../../l10n/messages.en.json';

const counted = Object.entries(messages).filter(([, sentence]) => /\{\d\|/.test(sentence));

describe('a noun after a number', () => {
  it('is in the singular for one, and in the plural for other numbers', () => {
    const say1 = (n: string) => filled('{0} {0|row|rows} of {1}', [n, '1']);
    assert.deepEqual(['0', '1', '2', '1,001'].map(say1), [
      '0 rows of 1',
      '1 row of 1',
      '2 rows of 1',
      '1,001 rows of 1',
    ]);
  });

  it('follows the language: every message in German has both forms of each noun that English has', () => {
    assert.ok(counted.length > 10);
    for (const [code, sentence] of counted) {
      const own = (german as Record<string, string>)[code];
      const numbers = (text: string) =>
        [...new Set([...text.matchAll(/\{(\d)\|/g)].map(([, i]) => i))].sort();
      assert.deepEqual(numbers(own), numbers(sentence), code);
      for (const text of [own, sentence]) assert.doesNotMatch(filled(text, ['1', '2', '3', '4']), /\|/, code);
    }
  });
});
