import assert from 'node:assert/strict';
import { say, type Words } from '../../../src/base/say';
import { inKinds, moreOfKind } from '../../../src/editor/problems/kinds';

const finding = (code: string, message: Words) => ({ code, message, severity: 'error' as const });
const codeOf = (words: Words) => (words as { code: string }).code;

describe('grouped problems of a dataset', () => {
  const row = (message: Words) => finding('broken-row', message);

  it('have one sentence: problems of one code with different causes are not one group', () => {
    const causes = [say('dataset.captionRepeated'), say('dataset.imageIdReused', 7), 'Unexpected end'];
    const groups = inKinds(causes.flatMap((message) => Array.from({ length: 4 }, () => row(message))));
    assert.deepEqual(
      groups.map((group) => group.length),
      [4, 4, 4],
    );
    assert.deepEqual(groups.map(moreOfKind).map(codeOf), Array(3).fill('editor.problemElsewhere'));
  });

  it('are called the same only if they are', () => {
    const [group] = inKinds([1, 2, 3, 4].map((id) => row(say('dataset.imageIdReused', id))));
    assert.equal(codeOf(moreOfKind(group)), 'editor.problemsAlike');
  });
});
