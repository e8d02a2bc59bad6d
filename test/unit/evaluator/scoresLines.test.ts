import assert from 'node:assert/strict';
import { readScores } from '../../../src/evaluator/scoresTable';
import { scratchFolder } from '../dataset/support';

describe('a file of scores', () => {
  const { write } = scratchFolder();
  for (const [title, name, content] of [
    ['in JSON Lines', 'a.jsonl', '{"key": "a", "score": 1}\n{"key": "b"}\n'],
    ['in a table', 'a.csv', 'key,score;x\na,1;2\n'],
  ])
    it(`with a line without a score names the line: ${title}`, async () => {
      await assert.rejects(readScores(write(name, content)), { message: 'This line has no score.' });
    });
});
