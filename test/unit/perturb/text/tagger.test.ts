import assert from 'node:assert/strict';
import { tag } from '../../../../src/perturb/text/tagger';

const wordsOf = (caption: string): string[] => (tag(caption) ?? []).map(({ text }) => text);

describe('the tagger', () => {
  it('does not depend on the captions before', () => {
    const caption = "Two Frisbee's on a rock";
    const alone = wordsOf(caption);
    assert.deepEqual(alone, ['Two', 'Frisbee', "'s", 'on', 'a', 'rock']);
    assert.deepEqual(wordsOf("Two Frisbee's."), ['Two', "Frisbee's", '.']);
    assert.deepEqual(wordsOf(caption), alone);
  });
});
