import assert from 'node:assert/strict';
import type { Example } from '../../../../src/dataset/example';
import { imageBlind, orderBlind } from '../../../../src/probe/benchmark/ceilings';
import { creditOf, type Item, itemsOf, wordsOf } from '../../../../src/probe/benchmark/items';

function itemOf(captions: string[], right = 0, image = 'a.jpg'): Item {
  return { example: '1', row: 0, image, observation: image, captions, right, isList: true, tags: {} };
}

function exampleOf(images: string[], captions: [text: string, image: number, isRight: boolean][]): Example {
  return {
    ...{ id: '1', form: 'choice', row: 0, attributes: {}, images: images.map((name) => ({ name })) },
    captions: captions.map(([text, image, isRight], i) => ({
      ...{ text, image, field: `caption_${i}`, role: isRight ? 'caption' : 'negative' },
    })),
  };
}

describe('items of a benchmark', () => {
  it('are the right caption with the wrong ones of its image', () => {
    const [item, ...others] = itemsOf(
      exampleOf(
        ['a'],
        [
          ['x', 0, false],
          ['y', 0, true],
          ['z', 0, false],
        ],
      ),
    );
    assert.deepEqual([item.captions, item.right, item.isList, others.length], [['x', 'y', 'z'], 1, true, 0]);
  });

  it('are one for each image of a crossed example, and one for each right caption of a triplet', () => {
    const crossed = itemsOf(
      exampleOf(
        ['a', 'b'],
        [
          ['x', 0, true],
          ['y', 1, true],
        ],
      ),
    );
    assert.deepEqual(
      crossed.map(({ captions, right, image, observation }) => [captions, right, image, observation]),
      [
        [['x', 'y'], 0, 'a', 'a'],
        [['x', 'y'], 1, 'b', 'a'],
      ],
    );
    const triplet = itemsOf(
      exampleOf(
        ['a'],
        [
          ['x', 0, true],
          ['y', 0, true],
          ['z', 0, false],
        ],
      ),
    );
    assert.deepEqual(
      triplet.map(({ captions, right }) => [captions, right]),
      [
        [['x', 'z'], 0],
        [['y', 'z'], 0],
      ],
    );
    assert.deepEqual(itemsOf(exampleOf(['a'], [['x', 0, true]])), []);
    assert.deepEqual(itemsOf(exampleOf(['a'], [['x', 0, false]])), []);
  });

  it('count ties as a part', () => {
    assert.deepEqual(
      [creditOf([2, 1], 0), creditOf([1, 2], 0), creditOf([2, 2, 1], 1), creditOf([3, 3, 3], 0)],
      [1, 0, 0.5, 1 / 3],
    );
  });

  it('have words without case and punctuation, in any script', () => {
    assert.deepEqual(wordsOf("A man's dog, 2 CATS!"), ['a', "man's", 'dog', '2', 'cats']);
    assert.deepEqual(wordsOf('Über café'), ['über', 'café']);
  });
});

describe('the ceiling without word order', () => {
  it('is half for the same words, and less for several such captions', () => {
    const { shares, chances } = orderBlind([
      itemOf(['The cat, on a mat', 'a mat on the cat']),
      itemOf(['the cat on a mat', 'the cat on the mat']),
      itemOf(['a b', 'b a', 'A, b!', 'c d'], 2),
      itemOf(['a b', 'c d', 'd c'], 0),
    ]);
    assert.deepEqual([...shares], [0.5, 1, 1 / 3, 1]);
    assert.deepEqual([...chances], [0.5, 0.5, 1 / 6, 0.5]);
  });
});

describe('the ceiling without the image', () => {
  it('is the most frequent answer to the same captions', () => {
    const captions = ['x', 'y'];
    const { shares } = imageBlind([
      itemOf(captions, 0),
      itemOf(captions, 0),
      itemOf(['y', 'x'], 0),
      itemOf(['x', 'z'], 1),
      itemOf(['x', 'x'], 1),
    ]);
    assert.deepEqual([...shares], [2 / 3, 2 / 3, 2 / 3, 1, 0.5]);
  });

  it('is one half for crossed examples', () => {
    const items = itemsOf(
      exampleOf(
        ['a', 'b'],
        [
          ['x', 0, true],
          ['y', 1, true],
        ],
      ),
    );
    assert.deepEqual([...imageBlind(items).shares], [0.5, 0.5]);
  });
});
