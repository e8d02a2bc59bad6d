import assert from 'node:assert/strict';
import { whyDecodingEnded, whyRankingEnded } from '../../../src/evaluator/native/lost';
import { memoryWords } from '../../../src/evaluator/native/memory';

describe('the end of a process without a model', () => {
  const ends = { code: null, signal: 'SIGKILL', words: '' } as const;

  for (const [what, why] of [
    ['images', whyDecodingEnded],
    ['rank', whyRankingEnded],
  ] as const) {
    it(`does not blame a model: ${what}`, () => {
      const exits = [
        [ends, /with signal SIGKILL\. Run again/],
        [{ ...ends, overdueMs: 120_000 }, /no progress for 120 seconds/],
        [{ ...ends, words: `${memoryWords} 4.0 GB of memory` }, /more memory than allowed.*MODEL_MEMORY/],
      ] as const;
      for (const [exit, expected] of exits) {
        const text = why(exit).describe();
        assert.match(text, expected);
        assert.doesNotMatch(text, /\bmodel\b/i);
      }
    });
  }
});
