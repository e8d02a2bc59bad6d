import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Random } from '../../../../../src/base/random';
import { cleanFlip, cleanFlips } from '../../../../../src/perturb/text/flip/cleanFlip';
import type { RandomFor } from '../../../../../src/perturb/text/flip/flip';
import { perturb, type PerturbOptions } from '../../../../../src/perturb/text/perturb';
import { tag } from '../../../../../src/perturb/text/tagger';
import type { FlipType } from '../../../../../src/perturb/text/variant';
import { paperVocabulary } from '../../../../../src/perturb/text/vocabulary';
import { articleFor } from '../../../../../src/perturb/words/number';

const draws =
  (seed: number): RandomFor =>
  (purpose) =>
    new Random(seed, 'example', 0, purpose);

/** A caption's flips for the seeds 0 to 59. */
function all(caption: string, type: FlipType): Set<string> {
  const made = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const flip = cleanFlip(caption, tag(caption), type, draws(seed));
    if (flip !== undefined) made.add(flip.text);
  }
  return made;
}

const captions = [
  ...new Set(
    [...readFileSync('samples/captions.json', 'utf8').matchAll(/"caption": ?"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text,
    ),
  ),
];

describe('flips in natural English', () => {
  it('correct the article', () => {
    const made = all('An orange bus on the street.', 'color');
    assert.ok(made.has('A purple bus on the street.') && !made.has('An purple bus on the street.'));
    assert.ok(all('a blue bus on the street', 'color').has('an orange bus on the street'));
    assert.ok(all('A BLUE BUS ON THE STREET', 'color').has('AN ORANGE BUS ON THE STREET'));
  });

  it('keep number and noun in agreement', () => {
    const two = all('Two dogs are sleeping on a couch.', 'number');
    assert.ok(two.has('Three dogs are sleeping on a couch.'));
    assert.ok(two.has('One dog is sleeping on a couch.'));
    assert.ok(!two.has('One dogs are sleeping on a couch.'));
    assert.ok(all('One dog is sleeping on a couch.', 'number').has('Four dogs are sleeping on a couch.'));
    assert.ok(all('Two people in a park.', 'number').has('One person in a park.'));
  });

  it('leave out "one" where the rest of the caption counts', () => {
    for (const caption of [
      'Two dogs playing with each other.',
      'Two people hugging on their bed.',
      'A woman and two men are on a bench.',
    ])
      for (const text of all(caption, 'number')) assert.doesNotMatch(text, /\bone\b/i);
    assert.equal(all('Two ducks swim while another is sitting nearby.', 'number').size, 0);
    assert.equal(all('A man on one side of the road', 'number').size, 0);
  });

  it('put no train on a road', () => {
    assert.ok(!all('A bus driving down the road', 'object').has('A train driving down the road'));
  });

  it('leave names, compounds and set phrases alone', () => {
    for (const [caption, type] of [
      ['A bicycle bed in a room', 'object'],
      ['A train station at night', 'object'],
      ['A hot dog on a bun', 'object'],
      ['A glass of orange juice', 'color'],
      ['A black and white image', 'color'],
      ['A player of the Red Sox swings', 'color'],
      ['A light blue sign on a wall', 'color'],
      ['A plate with orange slices', 'color'],
      ['A kite in a clear blue sky', 'color'],
      ['A red stop sign on a pole', 'color'],
      ['A green traffic light on a pole', 'color'],
    ] as const)
      assert.deepEqual(all(caption, type), new Set(), caption);
  });

  it('choose objects with the same use that captions have in such places', () => {
    assert.deepEqual(all('A cat sitting on a laptop.', 'object'), new Set(['A dog sitting on a laptop.']));
    const bus = all('A red bus parked on the street.', 'object');
    assert.ok(bus.has('A red truck parked on the street.'));
    for (const text of bus) assert.doesNotMatch(text, /dog|cat|bird|person|boat/);
    assert.ok(all('A man riding a horse on a beach', 'object').has('A man riding a bicycle on a beach'));
    assert.equal(all('A person riding a wave on a surfboard', 'object').size, 0);
  });

  it('give things the colours that they may have', () => {
    for (const text of all('A brown dog on a couch', 'color')) assert.match(text, /black|white|gray/);
    for (const text of all('A cow in a green field', 'color')) assert.match(text, /brown|yellow/);
  });

  it('never repeat a word of the caption, and keep their spans and the vocabulary', () => {
    let made = 0;
    for (const [i, caption] of captions.entries()) {
      for (const { text, kind, span, was } of cleanFlips(caption, tag(caption), draws(i))) {
        made++;
        assert.equal(caption.slice(0, was[0]) + text.slice(...span) + caption.slice(was[1]), text);
        const own = new Set(caption.toLowerCase().match(/\w+/g));
        const fresh = (
          text
            .slice(...span)
            .toLowerCase()
            .match(/\w+/g) ?? []
        ).filter((word) => !own.has(word));
        assert.ok(
          fresh.some((word) => paperVocabulary[kind as FlipType].includes(word)),
          `${caption} → ${text}`,
        );
        for (const [, article, word] of text.matchAll(/\b(an?) (\w+)/gi))
          if (text.slice(...span).includes(word)) assert.equal(article.toLowerCase(), articleFor(word), text);
        assert.doesNotMatch(
          text,
          /\b(two|three|four|five) (person|dog|cat|man|woman)\b|\bone \w+s (are|is)\b/i,
        );
      }
    }
    assert.ok(made > 40, String(made));
  });
});

describe('the literal rules of the paper', () => {
  const options: PerturbOptions = {
    ...{ asInPaper: true, capitals: true, mostParaphrases: 6, mostFlips: 6, mostCombined: 6, leastLength: 5 },
    ...{ beyondVocabulary: false, beyondNegation: false, beyondRelation: false, beyondMulti: false },
  };

  it('make the same 1,968 variants of the samples, to the byte, as when they were the default', () => {
    const hash = createHash('sha256');
    let made = 0;
    for (const [i, caption] of captions.entries())
      for (const variant of perturb(caption, options, (purpose) => new Random(42, 'e', i, purpose))
        .variants) {
        hash.update(`${JSON.stringify(variant)}\n`);
        made++;
      }
    assert.equal(made, 1968);
    assert.equal(hash.digest('hex'), 'e84f5add1960ee804b5e5de9373edb6da0f3e2a02982de98442556bca4e49b81');
  });

  it('apply to combined flips too; without the rules, combined flips are natural', () => {
    const texts = (asInPaper: boolean) =>
      perturb('An orange bus', { ...options, asInPaper, mostCombined: 99 }, draws(3)).variants.map(
        ({ text }) => text,
      );
    assert.ok(
      texts(true).some((text) =>
        /\b[Aa]n (red|blue|green|yellow|black|white|brown|gray|pink|purple) /.test(text),
      ),
    );
    assert.ok(texts(false).length > 2);
    assert.ok(
      !texts(false).some((text) =>
        /\b[Aa]n (red|blue|green|yellow|black|white|brown|gray|pink|purple) /.test(text),
      ),
    );
  });
});
