import assert from 'node:assert/strict';
import { Random } from '../../../../../src/base/random';
import { flip, flips, type RandomFor } from '../../../../../src/perturb/text/flip/flip';
import { flipTypes } from '../../../../../src/perturb/text/variant';
import { paperVocabulary } from '../../../../../src/perturb/text/vocabulary';

const draws =
  (seed = 42): RandomFor =>
  (purpose) =>
    new Random(seed, 'example', 0, purpose);

describe('flips', () => {
  it("have the paper's sizes: 11 colours, 5 numbers, 11 objects", () => {
    assert.deepEqual(
      flipTypes.map((type) => new Set(paperVocabulary[type]).size),
      [11, 5, 11],
    );
  });

  it('replace the first vocabulary word and nothing else', () => {
    const made = flip('a cat, a dog and a cat', 'object', draws())!;
    const to = made.text.slice(...made.span);
    assert.equal(made.text, `a ${to}, a dog and a cat`);
    assert.ok(paperVocabulary.object.includes(to) && to !== 'cat');
    assert.equal('a cat, a dog and a cat'.slice(...made.was), 'cat');
    assert.equal(made.kind, 'object');
  });

  it('match whole words only', () => {
    for (const text of ['a catalog', 'two cats', 'reddish', 'trainé', 'carpet', 'someone', 'dog_house'])
      assert.equal(flip(text, 'object', draws()), undefined, text);
    assert.notEqual(flip("a dog's bowl", 'object', draws()), undefined);
    assert.notEqual(flip('a fire-truck', 'object', draws()), undefined);
    assert.equal(flip('Éone', 'number', draws()), undefined);
  });

  it('never repeat the same word, and draw all others equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 4000; seed++) {
      const made = flip('a red kite', 'color', draws(seed))!;
      const word = made.text.slice(...made.span);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    assert.equal(counts.size, 10);
    assert.ok(!counts.has('red'));
    // The expected count is 400 with a standard deviation of 19, so 95 is five standard deviations.
    for (const count of counts.values()) assert.ok(Math.abs(count - 400) < 95, String(count));
  });

  it('keep a capital, and skip capitalised words on request', () => {
    const made = flip('Two dogs', 'number', draws())!;
    assert.match(made.text, /^(One|Three|Four|Five) dogs$/);
    assert.equal(flip('Two dogs', 'number', draws(), { capitals: false }), undefined);
    assert.match(flip('A BUS', 'object', draws())!.text, /^A [A-Z]+$/);
  });

  it('give at most one flip per type, in the order colour, number, object', () => {
    assert.deepEqual(
      flips('two red dogs beside one blue car', draws()).map(({ kind }) => kind),
      ['color', 'number', 'object'],
    );
    assert.deepEqual(flips('a kite over a hill', draws()), []);
  });

  it('give a paraphrase the same word as its caption', () => {
    const word = (text: string) => {
      const made = flip(text, 'object', draws())!;
      return made.text.slice(...made.span);
    };
    assert.equal(word('A dog sleeps'), word('In this image, A dog sleeps'));
  });
});
