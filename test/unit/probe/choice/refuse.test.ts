import { say, type Words } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import type { Example } from '../../../../src/dataset/example';
import { choice } from '../../../../src/probe/choice/choice';
import { choiceView } from '../../../../src/probe/choice/view';
import type { WantKind } from '../../../../src/protocol/item';

function triplet(images: string[], more: Partial<Example> = {}): Example {
  const caption = (text: string, role: 'caption' | 'negative') => ({ text, role, image: 0, field: role });
  return {
    id: '1',
    form: 'triplet',
    row: 0,
    images: images.map((name) => ({ name })),
    captions: [
      caption('a red bus', 'caption'),
      caption('a bus in red', 'caption'),
      caption('a car', 'negative'),
    ],
    attributes: {},
    ...more,
  };
}

const reasonFor = (example: Example, scores: WantKind[]): Words | undefined =>
  choice.refuse(example, {
    ...{ dataset: 'd', seed: 1, scores, options: { votes: 0, threshold: '' } },
    image: () => undefined,
  });

describe('an example that offers a choice', () => {
  it('is left out without an image, and says whether the file names one', () => {
    assert.ok(choiceView.madeFor.some((form) => form === 'triplet'));
    assert.deepEqual(reasonFor(triplet([]), ['image-text']), say('probe.noImage'));
    assert.deepEqual(reasonFor(triplet(['a.jpg']), ['image-text']), say('choice.imageMissing'));
    const [first] = triplet([]).captions;
    assert.deepEqual(reasonFor(triplet([], { captions: [first] }), ['image-text']), say('probe.noImage'));
    assert.deepEqual(
      reasonFor(triplet(['a.jpg'], { captions: [first] }), ['image-text']),
      say('choice.nothingToChoose'),
    );
  });

  it('needs no image if it is a triplet and the evaluator compares captions', () => {
    assert.equal(reasonFor(triplet([]), ['text-text']), undefined);
    assert.equal(reasonFor(triplet([]), ['image-text', 'text-text']), undefined);
  });
});
