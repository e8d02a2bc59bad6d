import assert from 'node:assert/strict';
import { readScores } from '../../../src/evaluator/scoresTable';
import { scratchFolder } from '../dataset/support';
import { say } from '../../../src/base/say';

describe('a file of scores', () => {
  const { write } = scratchFolder();
  for (const [title, name, content] of [
    ['in JSON Lines', 'a.jsonl', '{"key": "a", "score": 1}\n{"key": "b"}\n'],
    ['in a table', 'a.csv', 'key,score;x\na,1;2\n'],
  ])
    it(`with a line without a score names the line: ${title}`, async () => {
      await assert.rejects(readScores(write(name, content)), { what: say('evaluator.scoreMissing') });
    });

  for (const [title, name, content] of [
    ['a score', 'b.jsonl', '{"key": "a", "score": 1, "score": NaN}\n'],
    ['a key', 'b.jsonl', '{"key": "a", "score": 1}\n{"key": "b", "\\u006bey": "c", "score": 2}\n'],
    ['a column', 'b.csv', 'key,score,score\na,1,2\n'],
    ['a quoted column', 'b.tsv', 'key\t"score"\tscore\na\t1\t2\n'],
  ])
    it(`with ${title} twice is rejected, because either value could be meant`, async () => {
      await assert.rejects(readScores(write(name, content)), /twice/);
    });

  it('with further fields is read', async () => {
    const { scores } = await readScores(
      write('c.jsonl', '{"key": "a", "score": NaN, "of": {"score": 2, "x": "a:b"}}\n'),
    );
    assert.deepEqual([...scores], [['a', NaN]]);
  });
});
