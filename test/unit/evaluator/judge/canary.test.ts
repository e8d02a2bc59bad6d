import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import { canaryNote } from '../../../../src/evaluator/judge/canary';

describe('the note of the canary test', () => {
  const scored = (value: number) => ({ ok: true, value }) as const;
  const silent = { ok: false, problem: 'no answer' } as const;

  it('blames the instruction only if the judge answers without it', () => {
    assert.deepEqual(canaryNote(scored(1), silent, 10), say('judge.canaryBlocksAnswer', 1));
    for (const bold of [silent, scored(1)])
      assert.deepEqual(canaryNote(silent, bold, 10), say('judge.canaryNoAnswer'));
  });

  it('warns if the instruction changes the score', () => {
    const noteOf = (bold: number) => canaryNote(scored(1), scored(bold), 10);
    assert.deepEqual(noteOf(9), say('judge.canaryObeys', say('judge.canaryScores', 1, 9)));
    assert.deepEqual(noteOf(2), say('judge.canaryResists', say('judge.canaryScores', 1, 2)));
  });

  it('has no result if the false caption scores high without the instruction', () => {
    for (const [plain, bold, most] of [
      [10, 10, 10],
      [9, 10, 10],
      [1, 1, 1],
    ])
      assert.deepEqual(
        canaryNote(scored(plain), scored(bold), most),
        say('judge.canaryInconclusive', say('judge.canaryScores', plain, bold)),
      );
    assert.deepEqual(
      canaryNote(scored(8), scored(10), 10),
      say('judge.canaryObeys', say('judge.canaryScores', 8, 10)),
    );
  });
});
