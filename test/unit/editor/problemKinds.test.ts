import assert from 'node:assert/strict';
import { say, type Words } from '../../../src/base/say';
import { inKinds, moreOfKind, unlistedOf } from '../../../src/editor/problems/kinds';

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
    assert.deepEqual(
      groups.map((group) => codeOf(moreOfKind(group))),
      Array(3).fill('editor.problemElsewhere'),
    );
  });

  it('are called the same only if they are', () => {
    const [group] = inKinds([1, 2, 3, 4].map((id) => row(say('dataset.imageIdReused', id))));
    assert.equal(codeOf(moreOfKind(group)), 'editor.problemsAlike');
  });

  it('count all problems of their kind, also those that the check does not list', () => {
    const findings = Array.from({ length: 100 }, (_, i) =>
      finding('missing-image', say('dataset.imageIdReused', i)),
    );
    const [group] = inKinds(findings);
    const unlisted = unlistedOf(group, { findings, counts: { 'missing-image': 643 } });
    assert.equal(unlisted, 543);
    const words = moreOfKind(group, unlisted) as { code: string; values: unknown[] };
    assert.deepEqual([words.code, words.values.at(-1)], ['editor.problemsAlike', '642']);
  });

  it('count only what is listed if two kinds share a code', () => {
    const causes = [say('dataset.captionRepeated'), 'Unexpected end'];
    const findings = causes.flatMap((message) => Array.from({ length: 4 }, () => row(message)));
    for (const group of inKinds(findings))
      assert.equal(unlistedOf(group, { findings, counts: { 'broken-row': 20 } }), 0);
  });
});
