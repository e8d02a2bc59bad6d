import { say } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { languageOf, languageOfFile, refusalOf } from '../../../../src/perturb/text/fileLanguage';
import { readingOf } from '../../../../src/perturb/text/language';

const captions = {
  German: [
    'Ein Mann fährt mit dem Fahrrad am Strand entlang.',
    'Ein Boot steht am Hafen.',
    'Zwei Hunde spielen im Schnee.',
    'Ein rotes Auto parkt vor einem Haus.',
    'Drei Katzen liegen auf dem Sofa.',
    'Kinder spielen Fußball auf der Wiese.',
  ],
  French: [
    'Un homme fait du vélo sur la plage.',
    'Deux chiens jouent dans la neige.',
    'Une femme tient un parapluie rouge.',
    'Un bus passe dans la rue devant une maison.',
    'Un chat dort sur le canapé du salon.',
    'Des enfants jouent au ballon dans un parc.',
  ],
  Spanish: [
    'Un hombre monta en bicicleta por la playa.',
    'Dos perros juegan en la nieve.',
    'Una mujer con un paraguas rojo camina por la calle.',
    'Un gato duerme en el sofá de la sala.',
    'Unos niños juegan al fútbol en el parque.',
  ],
  English: [
    'A red bus on a street.',
    'Two dogs playing in the snow.',
    'A plate of pasta con carne and a glass of vin.',
    'A man in front of El Camino cafe.',
    'A woman holding an umbrella in the rain.',
    'A kitchen with a stove and a sink.',
  ],
};

describe('the language of a file', () => {
  for (const [language, texts] of Object.entries(captions))
    it(`is decided from all its captions: ${language}`, async () => {
      assert.equal(await languageOf(texts), language);
      const refusal = say('perturb.rulesForOthers', language, 'English');
      assert.deepEqual(refusalOf(language), language === 'English' ? undefined : refusal);
    });

  it('is English for captions that repeat a few English words', async () => {
    const walls = Array.from({ length: 12 }, (_, i) => `A red dog stands near wall ${i}.`);
    assert.equal(await languageOf(walls), 'English');
  });

  it('is not English for captions that repeat a few words of a similar language', async () => {
    const texts = {
      Swedish: 'En röd hund står nära väggen i ett rum.',
      Dutch: 'Een man in een park is met zijn hond op het gras.',
      Hungarian: 'A piros kutya a fal mellett áll a kertben.',
      Portuguese: 'A menina e o cão estão em frente a uma casa.',
    };
    for (const [language, text] of Object.entries(texts))
      assert.equal(await languageOf(Array.from({ length: 8 }, (_, i) => `${text} ${i}`)), language);
  });

  it('is unknown for a few words, which are then judged caption by caption', async () => {
    assert.equal(await languageOf(['Ein Boot steht am Hafen.']), undefined);
    assert.equal(refusalOf(undefined), undefined);
  });

  it('reads captions only, and no more than it needs', async () => {
    let read = 0;
    async function* examples() {
      for (;;) {
        read++;
        yield await Promise.resolve({
          captions: [
            { role: 'caption', text: captions.German[read % 6] },
            { role: 'negative', text: 'A red bus on a street.' },
          ],
        });
      }
    }
    assert.equal(await languageOfFile(examples()), 'German');
    assert.ok(read <= 200);
  });

  it('is read from the start of long captions and of an image with many captions', async () => {
    let read = 0;
    const long = `${captions.German[0]} `.repeat(200_000);
    const many = Array.from({ length: 5000 }, () => ({
      role: 'caption',
      get text() {
        read++;
        return long;
      },
    }));
    async function* examples() {
      yield await Promise.resolve({ captions: many });
    }
    assert.equal(await languageOfFile(examples()), 'German');
    assert.ok(read <= 200);
    assert.equal(await languageOf(Array.from({ length: 200 }, () => long)), 'German');
  });

  it('of an English file does not change with one foreign caption', () => {
    const sign = 'Un chat dans la rue de Paris';
    assert.equal(readingOf(sign), 'other-language');
    assert.equal(readingOf(sign, true), 'english');
    assert.equal(readingOf('一个男人骑着马', true), 'other-language');
  });

  it('is English for every 200 captions of the Karpathy test split', async function () {
    const path = '../shared/data/rococo/coco_karpathy_test.json';
    if (!existsSync(path)) {
      console.log('      skipped: ../shared/data/rococo is not here');
      this.skip();
    }
    const all = (JSON.parse(readFileSync(path, 'utf8')) as { caption: string[] }[]).flatMap(
      ({ caption }) => caption,
    );
    for (let at = 0; at < 10_000; at += 200)
      assert.equal(await languageOf(all.slice(at, at + 200)), 'English');
  });
});
