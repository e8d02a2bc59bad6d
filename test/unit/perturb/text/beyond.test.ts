import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { beyondFlips } from '../../../../src/perturb/text/beyond';
import { tag } from '../../../../src/perturb/text/tagger';

const off = { beyondVocabulary: false, beyondNegation: false, beyondRelation: false, beyondMulti: false };

/** All texts of one kind that 80 seeds produce. */
function texts(caption: string, kind: string): string[] {
  const on = { beyondVocabulary: true, beyondNegation: true, beyondRelation: true, beyondMulti: true };
  const all = new Set<string>();
  for (let seed = 0; seed < 80; seed++) {
    for (const made of beyondFlips(caption, tag(caption), on, (purpose) => new Random(seed, purpose)))
      if (made.kind === kind) all.add(made.text);
  }
  return [...all];
}

describe('flips beyond the paper', () => {
  it('are off by default, kind by kind', () => {
    const of = (options: Partial<typeof off>) =>
      beyondFlips(
        'A dog is sleeping under a red table',
        tag('A dog is sleeping under a red table'),
        { ...off, ...options },
        (purpose) => new Random(1, purpose),
      ).map(({ kind }) => kind);
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ beyondNegation: true }), ['negation']);
    assert.deepEqual(of({ beyondRelation: true }), ['relation']);
    assert.deepEqual(of({ beyondMulti: true }), ['multi']);
    assert.deepEqual(of({ beyondVocabulary: true }), ['color', 'object']);
  });

  it('keep agreement: a or an, singular or plural', () => {
    const animals = texts('A zebra in a field', 'object');
    assert.ok(animals.includes('An elephant in a field'));
    assert.ok(animals.includes('A lion in a field'));
    assert.ok(texts('An elephant in a field', 'object').every((text) => /^A [^aeiou]/.test(text)));
    assert.ok(texts('Two dogs on a couch', 'object').includes('Two cats on a couch'));
    for (const text of texts('Two dogs on a couch', 'object')) assert.match(text, /^Two \w+s on a couch$/);
    for (const text of texts('an orange car', 'color')) assert.match(text, /^(a [^aeiou]|an [aeiou])/);
  });

  it('keep a colour that names a kind', () => {
    for (const caption of [
      'A glass of orange juice',
      'A bottle of white wine',
      'A black bear in the woods',
      'The traffic light is green',
      'A black and white photo',
      'A white man in a hat',
      'Some green beans on a plate',
      'An orange on a table',
    ])
      assert.deepEqual(texts(caption, 'color'), [], caption);
    assert.ok(texts('A red bus', 'color').length > 5);
    assert.ok(!texts('A red bus', 'color').includes('A maroon bus'), 'too close to red');
  });

  it('keep part of a name and a measure', () => {
    for (const caption of [
      'A fire truck',
      'A bus stop at night',
      'A hot dog on a bun',
      'A teddy bear',
      'A toy train',
      'A plate of food',
    ])
      assert.deepEqual(texts(caption, 'object'), [], caption);
  });

  it('keep a number that counts nothing visible', () => {
    assert.deepEqual(texts('One of two of them', 'number'), []);
    for (const text of texts('Two men on a bench', 'number'))
      assert.match(text, /^(Three|Four|Five|Six|Seven|Eight|Nine|Ten) men/);
  });

  it('negate once, and never a negated caption', () => {
    assert.deepEqual(texts('A man is riding a horse', 'negation'), ['A man is not riding a horse']);
    assert.deepEqual(texts('A man riding a horse', 'negation'), ['A man not riding a horse']);
    assert.deepEqual(texts('There is a dog on a bed', 'negation'), ['There is no dog on a bed']);
    assert.deepEqual(texts('A man with a hat', 'negation'), ['A man without a hat']);
    assert.deepEqual(texts('A man without a hat is sitting', 'negation'), []);
  });

  it('invert one spatial relation', () => {
    assert.deepEqual(texts('A cat in front of a mirror next to a bed', 'relation'), [
      'A cat behind a mirror next to a bed',
    ]);
    assert.deepEqual(texts('A dog under a table', 'relation'), ['A dog on top of a table']);
    assert.deepEqual(texts('A dog outside', 'relation'), []);
  });

  it('invert a relation only where the opposite makes sense', () => {
    for (const caption of [
      'A subway in a station underneath a closed roof',
      'A man under an umbrella',
      'A bird flying above the water',
      'Two dogs next to each other',
      'A man on top of a hill',
      'A man in front of a laptop computer',
      'A man in front of a crowd',
      'A man dances on top of a table',
      'A cat on top of a bed on the comforter',
      'A bench next to a very close tree',
      'A drink next to a sandwich',
      'Trees on the right and houses on the left',
    ])
      assert.deepEqual(texts(caption, 'relation'), [], caption);
    assert.deepEqual(texts('Cars are seen on the street outside a tall building', 'relation'), []);
    assert.deepEqual(texts('A dog waits outside a house', 'relation'), ['A dog waits inside a house']);
    assert.deepEqual(texts('A clock above a door', 'relation'), ['A clock below a door']);
    assert.deepEqual(texts('A MAN NEXT TO A TRUCK', 'relation'), ['A MAN FAR FROM A TRUCK']);
  });

  it('negate in the case of the caption, and never the image itself', () => {
    assert.deepEqual(texts('THERE IS A DOG ON A BED', 'negation'), ['THERE IS NO DOG ON A BED']);
    assert.deepEqual(texts('THERE IS AN IMAGE OF A DOG', 'negation'), []);
    assert.deepEqual(texts('A plate filled with a sandwich', 'negation'), []);
  });

  it('flip all attributes at once', () => {
    for (const text of texts('Two dogs on a red couch', 'multi')) {
      const [, number, animals, color] = /^(\w+) (\w+) on a (\w+) couch$/.exec(text)!;
      assert.ok(number !== 'Two' && animals !== 'dogs' && color !== 'red', text);
    }
    assert.deepEqual(texts('A dog on a hill', 'multi'), []);
  });
});
