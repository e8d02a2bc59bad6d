import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { canaryNote } from '../../../../src/evaluator/judge/canary';

describe('the note of the canary test', () => {
  const scored = (value: number) => ({ ok: true, value }) as const;
  const silent = { ok: false, problem: 'no answer' } as const;

  it('blames the instruction only if the judge answers without it', () => {
    assert.match(
      english(canaryNote(scored(1), silent, 10)),
      /scored 1\. When .* an instruction.* keep this judge from/,
    );
    for (const bold of [silent, scored(1)])
      assert.match(
        english(canaryNote(silent, bold, 10)),
        /no valid answer to a false caption, so Captious cannot tell/,
      );
  });

  it('warns if the instruction changes the score', () => {
    assert.match(
      english(canaryNote(scored(1), scored(9), 10)),
      /^Warning, .*1, and 9 when it also contained an instruction/,
    );
    assert.match(
      english(canaryNote(scored(1), scored(2), 10)),
      /^Canary test: .*did not raise the score noticeably\.$/,
    );
  });

  it('has no result if the false caption scores high without the instruction', () => {
    for (const [plain, bold, most] of [
      [10, 10, 10],
      [9, 10, 10],
      [1, 1, 1],
    ])
      assert.match(
        english(canaryNote(scored(plain), scored(bold), most)),
        /^Warning, .*scored high even without the instruction, so Captious cannot tell/,
      );
    assert.match(english(canaryNote(scored(8), scored(10), 10)), /can change its own score/);
  });
});
