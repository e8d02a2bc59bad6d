import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Random } from '../../../../src/base/random';
import { perturb, type PerturbOptions } from '../../../../src/perturb/text/perturb';
import { paperVocabulary, wholeWord } from '../../../../src/perturb/text/vocabulary';
import { tag } from '../../../../src/perturb/text/tagger';

const defaults: PerturbOptions = {
  asInPaper: true,
  capitals: true,
  mostParaphrases: 6,
  mostFlips: 6,
  mostCombined: 6,
  leastLength: 5,
  beyondVocabulary: false,
  beyondNegation: false,
  beyondRelation: false,
  beyondMulti: false,
};

const run = (caption: string, options: Partial<PerturbOptions> = {}, seed = 42) =>
  perturb(caption, { ...defaults, ...options }, (purpose) => new Random(seed, 'e', 0, purpose));

const everything: Partial<PerturbOptions> = {
  beyondVocabulary: true,
  beyondNegation: true,
  beyondRelation: true,
  beyondMulti: true,
};

describe('perturb', () => {
  const caption = 'A red truck parked next to two dogs.';

  it('depends on the seed and on nothing else', () => {
    assert.deepEqual(run(caption), run(caption));
    assert.notDeepEqual(run(caption), run(caption, {}, 43));
  });

  it('respects the caps, and draws every candidate eventually', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const { variants } = run(caption, { mostParaphrases: 3, mostFlips: 1, mostCombined: 2 }, seed);
      const count = (family: string) => variants.filter((variant) => variant.family === family).length;
      assert.deepEqual([count('paraphrase'), count('flip'), count('combined')], [3, 1, 2]);
      for (const variant of variants) if (variant.family === 'paraphrase') seen.add(variant.rule);
    }
    for (const rule of ['a photo of {c}', '{c} in the scene', 'synonym']) assert.ok(seen.has(rule), rule);
    assert.ok(!seen.has('{c}'), 'the caption itself is no paraphrase');
  });

  it('never repeats a text within a family, nor the caption', () => {
    const { variants } = run(caption, { mostParaphrases: 99, mostCombined: 99, ...everything });
    for (const family of ['paraphrase', 'flip', 'combined', 'beyond']) {
      const texts = variants.filter((variant) => variant.family === family).map(({ text }) => text);
      assert.ok(texts.length > 0, family);
      assert.equal(new Set(texts).size, texts.length);
      assert.ok(!texts.includes(caption));
    }
  });

  it('drops texts that are too short, counted in visible characters', () => {
    assert.ok(run('dog', { leastLength: 5 }).variants.every(({ text }) => [...text].length >= 5));
    const lengths = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      for (const { text, family } of run('cat', {}, seed).variants)
        if (family === 'flip') lengths.add(text.length);
    }
    assert.deepEqual([...lengths].sort(), [5, 6, 7], 'train, person and bicycle stay, dog and boat go');
    assert.deepEqual(run('cat', { leastLength: 500 }).variants, []);
  });

  it('flips a paraphrase and records which one', () => {
    const { variants } = run(caption, { mostCombined: 99 });
    const combined = variants.filter(({ family }) => family === 'combined');
    assert.ok(combined.length > 6);
    for (const { of, kind, text, span } of combined) {
      const paraphrase = variants[of!];
      assert.equal(paraphrase.family, 'paraphrase');
      const word = text.slice(...span).toLowerCase();
      const type = kind as keyof typeof paperVocabulary;
      assert.ok(paperVocabulary[type].includes(word), word);
      assert.equal(text, paraphrase.text.replace(wholeWord(paperVocabulary[type], 'i'), text.slice(...span)));
    }
  });

  it('excludes beyond flips by default, and marks them', () => {
    assert.ok(!run(caption).variants.some(({ family }) => family === 'beyond'));
    const kinds = run(caption, everything)
      .variants.filter(({ family }) => family === 'beyond')
      .map(({ kind }) => kind);
    assert.deepEqual(kinds, ['color', 'number', 'object', 'relation', 'multi']);
    const plain = (variants: readonly { family: string }[]) =>
      variants.filter(({ family }) => family !== 'beyond');
    assert.deepEqual(plain(run(caption, everything).variants), plain(run(caption).variants));
  });

  it("prefers the dataset's variants to generated ones", () => {
    const given = [
      { text: 'a photo of a dog', family: 'paraphrase', kind: '' },
      { text: 'one dog', family: 'paraphrase', kind: '' },
      { text: 'a zebra', family: 'flip', kind: 'object' },
      { text: 'a dog', family: 'flip', kind: 'object' },
    ] as const;
    const { variants } = perturb(
      'a dog',
      { ...defaults, mostCombined: 0 },
      (purpose) => new Random(1, purpose),
      given,
    );
    assert.deepEqual(
      variants.map(({ text, kind }) => [text, kind]),
      [
        ['a photo of a dog', 'template'],
        ['one dog', 'given'],
        ['a zebra', 'object'],
      ],
    );
  });

  describe('captions of every kind', () => {
    const reading = (text: string) => run(text.trim()).reading;
    it('blank', () => assert.equal(reading(' \t '), 'blank'));
    it('without a word', () =>
      assert.deepEqual([reading('🐶🐶'), reading('!!! 42')], ['no-word', 'no-word']));
    it('too long to be parsed, or with such a word', () => {
      const long = 'A dog sits. '.repeat(1000);
      for (const text of [long, `A ${'g'.repeat(300)} sits.`, `A dog${'.'.repeat(300)} x`]) {
        assert.deepEqual(run(text.trim()), { reading: 'too-long', variants: [] });
        assert.equal(tag(text), undefined);
      }
      assert.equal(reading(`A dog sits. `.repeat(800)), 'english');
    });
    it('in another language', () => {
      for (const text of [
        'Un homme est assis sur un banc avec un chien',
        'Ein Mann mit einem Hund auf der Bank',
        'Un hombre con una bicicleta en el parque',
        'Un uomo con una bicicletta accanto alla strada e due cani',
        'Um homem com uma bicicleta e dois cachorros',
        'Мужчина едет на лошади',
        '一个男人骑着马',
        'رجل يركب حصانا',
      ])
        assert.equal(reading(text), 'other-language', text);
      assert.deepEqual(run('Un train est dans la gare avec une car').variants, []);
    });
    it('English with a name or two from elsewhere', () => {
      for (const text of [
        'A sign that says Rue de la Paix on a wall',
        'A man in front of El Camino cafe',
        'Dogs',
        'Zebras grazing',
        'A plate of pasta con carne and a glass of vin',
        'The van der Berg house on a hill',
      ])
        assert.equal(reading(text), 'english', text);
    });
    it('an emoji with words: templates and flips, no linguistic rule', () => {
      const { variants } = run('A dog 🐶 sitting next to a car', { mostParaphrases: 99 });
      assert.ok(variants.some(({ family }) => family === 'flip'));
      assert.ok(variants.every(({ family, kind }) => family !== 'paraphrase' || kind === 'template'));
    });
    it('500 words: templates and a flip, no linguistic rule, without delay', () => {
      const long = Array.from({ length: 500 }, (_, i) => (i % 5 === 0 ? 'dog' : 'large')).join(' ');
      const { variants } = run(long, { mostParaphrases: 99 });
      assert.equal(variants.filter(({ family }) => family === 'flip').length, 1);
      assert.ok(variants.every(({ family, kind }) => family !== 'paraphrase' || kind === 'template'));
    });
    it('any text: no error, spans inside the text, the same result again', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 80 }),
            fc
              .array(
                fc.constantFrom(
                  'a',
                  'A',
                  'two',
                  'red',
                  'dog',
                  'dogs',
                  'is',
                  'riding',
                  'on',
                  'the',
                  ',',
                  '.',
                  '-',
                  'and',
                  'next',
                  'to',
                  '"',
                  "n't",
                  'there',
                  'with',
                ),
                { maxLength: 14 },
              )
              .map((words) => words.join(' ')),
          ),
          (text) => {
            const trimmed = text.trim();
            const { variants } = run(trimmed, {
              ...everything,
              asInPaper: false,
              mostParaphrases: 99,
              mostCombined: 99,
            });
            assert.deepEqual(
              run(trimmed, { ...everything, asInPaper: false, mostParaphrases: 99, mostCombined: 99 })
                .variants,
              variants,
            );
            for (const { text: made, span, was, of } of variants) {
              assert.ok(0 <= span[0] && span[0] <= span[1] && span[1] <= made.length);
              const source = of === undefined ? trimmed : variants[of].text;
              assert.equal(source.slice(0, was[0]) + made.slice(...span) + source.slice(was[1]), made);
            }
          },
        ),
        { numRuns: 400 },
      );
    });
  });
});
