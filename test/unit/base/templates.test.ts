import assert from 'node:assert/strict';
import { spoken } from '../../../src/base/say';
import { Templates } from '../../../src/base/text/templates';

const german: Readonly<Record<string, string>> = {
  'The image {0} was not found.': 'Das Bild {0} wurde nicht gefunden.',
  'Too few images: "{0}" has {1}.': 'Zu wenige Bilder: „{0}“ hat {1}.',
  'No interval: {0}.': 'Kein Intervall: {0}.',
  '{0} and {1}': '{0} und {1}',
  'With the image': 'Mit dem Bild',
  'the image and the caption': 'Bild und Bildunterschrift',
  accuracy: 'Genauigkeit',
};

describe('the templates of English texts', () => {
  const templates = new Templates(Object.keys(german));
  const translated = (text: string): string =>
    spoken(templates.wordsOf(text), (words) => german[words] ?? words);

  it('translate a text with its values, which may be texts, too', () => {
    assert.equal(translated('The image a.jpg was not found.'), 'Das Bild a.jpg wurde nicht gefunden.');
    assert.equal(
      translated('Too few images: "With the image: accuracy" has 6.'),
      'Zu wenige Bilder: „Mit dem Bild: Genauigkeit“ hat 6.',
    );
  });

  it('translate sentences, lists and brackets part by part', () => {
    assert.equal(
      translated('The image a.jpg was not found. No interval: accuracy.'),
      'Das Bild a.jpg wurde nicht gefunden. Kein Intervall: Genauigkeit.',
    );
    assert.equal(translated('With the image, accuracy'), 'Mit dem Bild, Genauigkeit');
    assert.equal(translated('accuracy (12)'), 'Genauigkeit (12)');
    assert.equal(
      translated('The image a: b was not found.: accuracy'),
      'Das Bild a: b wurde nicht gefunden.: Genauigkeit',
    );
    assert.equal(translated('"accuracy" (visla.t2t)'), '"Genauigkeit" (visla.t2t)');
  });

  it('prefer a whole text to its parts, and leave captions alone', () => {
    assert.equal(translated('the image and the caption'), 'Bild und Bildunterschrift');
    assert.equal(translated('A red truck and two dogs'), 'A red truck and two dogs');
    assert.equal(translated('accuracy and With the image'), 'Genauigkeit und Mit dem Bild');
    assert.equal(translated('x'.repeat(5000)), 'x'.repeat(5000));
  });

  it('are found in linear time in hostile texts', () => {
    const hostile = 'The image '.repeat(190);
    for (let i = 0; i < 50; i++) assert.equal(translated(`${hostile}${i}`), `${hostile}${i}`);
  });

  it('are searched in a limited number of parts of a text', function () {
    this.timeout(2000);
    const templates = new Templates(Array.from({ length: 3000 }, (_, i) => `The value {0} of word${i}`));
    const parts = 'a, b; c: d. E f '.repeat(120);
    assert.equal(templates.wordsOf(parts), parts);
  });
});
