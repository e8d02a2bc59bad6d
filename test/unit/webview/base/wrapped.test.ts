import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wrapped } from '../../../../webview/base/format';

describe('titles of axes', () => {
  it('break between words', () => {
    assert.deepEqual(wrapped('Starter: Score of the original minus score of the variant', 36), [
      'Starter: Score of the original minus',
      'score of the variant',
    ]);
    assert.deepEqual(wrapped('Share right', 36), ['Share right']);
    assert.deepEqual(wrapped('Share right', Infinity), ['Share right']);
  });

  it('keep every word, in lines that fit or have one word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/)),
        fc.integer({ min: 1, max: 30 }),
        (words, letters) => {
          const lines = wrapped(words.join(' '), letters);
          assert.equal(lines.join(' '), words.join(' '));
          for (const line of lines) assert.ok(line.length <= letters || !line.includes(' '), line);
        },
      ),
    );
  });
});
