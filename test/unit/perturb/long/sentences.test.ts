import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { sentenceEdits } from '../../../../src/perturb/long/edits';
import { chosenErrors, type Planted, plantedErrors } from '../../../../src/perturb/long/planted';
import { sentencesOf } from '../../../../src/perturb/long/sentences';
import { sideFlip } from '../../../../src/perturb/long/sides';

const split = (text: string): string[] => sentencesOf(text).map((span) => text.slice(...span));
const randomFor = (purpose: string): Random => new Random(42, purpose);

describe('the sentences of a caption', () => {
  it('end at a full stop before a capital, a number or a quote', () => {
    assert.deepEqual(split('A dog runs. It is brown! "Stop" is written on a sign. 3 cats watch?'), [
      'A dog runs.',
      'It is brown!',
      '"Stop" is written on a sign.',
      '3 cats watch?',
    ]);
  });

  it('do not end after abbreviations, initials and decimals', () => {
    assert.deepEqual(split('Dr. Smith of St. Louis holds J. Doe. He is 1.8 m tall, approx. Two dogs wait.'), [
      'Dr. Smith of St. Louis holds J. Doe.',
      'He is 1.8 m tall, approx. Two dogs wait.',
    ]);
  });

  it('also end at a new line, and have letters or digits', () => {
    assert.deepEqual(split('A dog\n\n- a cat\n***\nThe end.  '), ['A dog', '- a cat', 'The end.']);
    assert.deepEqual(split(' ... '), []);
  });
});

describe('errors planted in a caption', () => {
  const caption =
    'A red truck is parked next to a house. Two dogs sit on the grass. A tree stands on the left. The sky is clear.';
  const planted = (captions = [caption]): Planted[] =>
    plantedErrors(caption, sentencesOf(caption), captions, randomFor);

  it('change one place each, and know where it is', () => {
    const errors = planted();
    assert.deepEqual(
      errors.map(({ kind, was }) => [kind, caption.slice(...was)]),
      [
        ['color', 'red'],
        ['object', 'truck'],
        ['relation', 'next to'],
        ['number', 'Two'],
        ['relation', 'left'],
      ],
    );
    for (const { text, was, span } of errors) {
      assert.equal(caption.slice(0, was[0]), text.slice(0, span[0]));
      assert.equal(caption.slice(was[1]), text.slice(span[1]));
      assert.notEqual(caption.slice(...was), text.slice(...span));
    }
    const left = errors.find(({ text }) => text.includes('on the right'))!;
    // "left." is the 21st of 25 words.
    assert.equal(left.position, 20 / 25);
    assert.equal(left.decile, 9);
  });

  it('are not of numbers if a caption leaves the number open', () => {
    assert.ok(planted().some(({ kind }) => kind === 'number'));
    assert.ok(!planted([caption, 'A group of dogs.']).some(({ kind }) => kind === 'number'));
  });

  it('use no word that another caption of the image has', () => {
    const colours = 'blue green yellow black white brown gray orange pink purple';
    assert.ok(planted().some(({ kind }) => kind === 'color'));
    assert.ok(!planted([caption, colours]).some(({ kind }) => kind === 'color'));
  });

  it('are at most one of each kind in each tenth, spread over the tenths', () => {
    const error = (decile: number, kind: Planted['kind'], at: number): Planted => ({
      ...{ kind, decile, position: decile / 10 - 0.05, text: `${decile} ${kind} ${at}` },
      ...{ was: [at, at + 1], span: [at, at + 1] },
    });
    const all = Array.from({ length: 10 }, (_, i) => [
      error(i + 1, 'object', 4 * i),
      error(i + 1, 'object', 4 * i + 1),
      error(i + 1, 'color', 4 * i + 2),
    ]).flat();
    assert.equal(chosenErrors(all, 100, randomFor('x')).length, 20);
    const ten = chosenErrors(all, 10, randomFor('x'));
    assert.deepEqual(
      ten.map(({ decile }) => decile),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.equal(ten.filter(({ kind }) => kind === 'color').length, 5);
    assert.deepEqual(chosenErrors(all, 0, randomFor('x')), []);
  });
});

describe('sides', () => {
  it('are swapped where a sentence names one side', () => {
    assert.equal(
      sideFlip('A dog sits on the left side of the image.', [])?.text,
      'A dog sits on the right side of the image.',
    );
    assert.equal(
      sideFlip('To the right of the car is a tree.', [])?.text,
      'To the left of the car is a tree.',
    );
  });

  it('are kept where the swap may be true or unclear', () => {
    for (const sentence of [
      'A dog is on the left and a cat is on the right.',
      'He raises his left hand.',
      'There are trees on both sides of the road on the left.',
      'A car turns left.',
    ])
      assert.equal(sideFlip(sentence, []), undefined, sentence);
    assert.equal(sideFlip('A dog is on the left.', ['Another dog is on the right.']), undefined);
    assert.ok(sideFlip('A dog is on the left.', ['A cat is on the right.']));
  });
});

describe('edits of sentences', () => {
  const caption = 'A dog runs. A cat sleeps.  A bird sings. A horse stands.';
  const spans = sentencesOf(caption);
  const edits = (text = caption) => sentenceEdits(text, sentencesOf(text), randomFor);
  const count = (text: string): number => sentencesOf(text).length;

  it('delete, repeat and move one sentence, and change nothing else', () => {
    const [deleted, repeated, moved] = edits();
    const texts = spans.map((span) => caption.slice(...span));
    assert.deepEqual([deleted.kind, repeated.kind, moved.kind], ['delete', 'repeat', 'move']);
    assert.deepEqual([count(deleted.text), count(repeated.text), count(moved.text)], [3, 5, 4]);
    assert.deepEqual(
      split(deleted.text),
      texts.filter((text) => text !== caption.slice(...deleted.was)),
    );
    const twice = caption.slice(...repeated.was);
    assert.equal(repeated.text.slice(...repeated.span), twice);
    assert.ok(repeated.text.includes(`${twice} ${twice}`));
    assert.deepEqual(split(moved.text).sort(), [...texts].sort());
    assert.notEqual(moved.text, caption);
    assert.equal(moved.text.slice(...moved.span), caption.slice(...moved.was));
  });

  it('do not move sentences that refer back', () => {
    const kinds = edits('A dog runs. It is brown. It has a collar.').map(({ kind }) => kind);
    assert.deepEqual(kinds, ['delete', 'repeat']);
  });

  it('are the same for the same seed', () => assert.deepEqual(edits(), edits()));
});
