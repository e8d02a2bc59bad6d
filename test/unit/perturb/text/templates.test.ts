import assert from 'node:assert/strict';
import { tag } from '../../../../src/perturb/text/tagger';
import { asInPaper, asWritten } from '../../../../src/perturb/text/templates';

const texts = (caption: string) => asWritten(caption, tag(caption)).map(({ text }) => text);

describe('templates', () => {
  it('are the paper’s nine, filled with the unchanged caption', () => {
    assert.deepEqual(
      asInPaper('A man rides.').map(({ text }) => text),
      [
        'a photo of A man rides.',
        'an image of A man rides.',
        'a picture of A man rides.',
        'A man rides.',
        'A man rides. in the scene',
        'a scene showing A man rides.',
        'In this image, A man rides.',
        'In the picture, A man rides.',
        'This image shows A man rides.',
      ],
    );
  });

  it('keep a dollar sign in a caption', () => {
    assert.equal(asInPaper("a $& sign, $1 and $'")[0].text, "a photo of a $& sign, $1 and $'");
  });

  it('as people write: no capital in the middle, the full stop at the end', () => {
    const made = texts('A man on a horse.');
    assert.ok(made.includes('A photo of a man on a horse.'));
    assert.ok(made.includes('A man on a horse in the scene.'));
    assert.ok(made.includes('In this image, a man on a horse.'));
    for (const text of made) assert.doesNotMatch(text, /[a-z,] A /);
  });

  it('as people write: no "a photo of" before a sentence or another photo', () => {
    assert.ok(!texts('A man is riding a horse.').some((text) => /photo of|shows|showing/.test(text)));
    for (const caption of [
      'A photo of a horse.',
      'A black and white picture of two dogs',
      'A close up of a plate',
    ])
      assert.deepEqual(texts(caption), [], caption);
    assert.ok(texts('A display case at a bakery').includes('A photo of a display case at a bakery'));
  });

  it('as people write: names and "I" keep their capital', () => {
    assert.ok(texts('I am unable to see an image.').includes('In this image, I am unable to see an image.'));
    assert.ok(texts('London at night').every((text) => text.includes('London')));
  });

  it('are in capitals if the whole caption is', () => {
    const made = texts('TWO DOGS ON A BED.');
    assert.ok(made.includes('IN THIS IMAGE, TWO DOGS ON A BED.'), made.join('\n'));
    assert.ok(made.includes('TWO DOGS ON A BED IN THE SCENE.'));
    assert.ok(texts('A DOG').includes('A PHOTO OF A DOG'));
    for (const text of made) assert.equal(text, text.toUpperCase());
    assert.ok(texts('TWO dogs on a bed').includes('In this image, TWO dogs on a bed'));
    assert.equal(asInPaper('A DOG')[0].text, 'a photo of A DOG');
  });

  it('mark the new part', () => {
    const [image] = asInPaper('a dog');
    assert.equal(image.text.slice(...image.span), 'a photo of ');
    assert.deepEqual(image.was, [0, 0]);
  });
});
