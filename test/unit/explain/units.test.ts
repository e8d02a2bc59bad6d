import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keep, phrasesOf, wordsOf } from '../../../src/explain/units';

const wordList = (caption: string): string[] => wordsOf(caption).map(({ word }) => word);

describe('units of a caption', () => {
  it('finds words in any script, and joins what a hyphen joins', () => {
    assert.deepEqual(wordList('A black-and-white cat, "Tom", isn’t here.'), [
      ...['A', 'black-and-white', 'cat', 'Tom', 'isn’t', 'here'],
    ]);
    assert.ok(wordList('一只黑猫坐在桌子上。').length > 2);
    assert.deepEqual(wordList(' … '), []);
  });

  it('removes a word with its punctuation', () => {
    const caption = 'A dog, "Rex", runs.';
    const units = wordsOf(caption);
    const without = (gone: number): string => keep(caption, units, (unit) => unit !== gone);
    assert.deepEqual(
      units.map((_, i) => without(i)),
      ['dog, "Rex", runs.', 'A "Rex", runs.', 'A dog, runs.', 'A dog, "Rex",'],
    );
    assert.equal(
      keep(caption, units, () => false),
      '',
    );
  });

  it('keeps everything if all units are kept', () => {
    const caption = fc
      .array(fc.constantFrom('a', 'red', 'bus,', '(two)', '猫', 'é', '-', '“x”'))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(caption, (text) => {
        const units = wordsOf(text);
        if (units.length > 0)
          assert.equal(
            keep(text, units, () => true),
            text.trim(),
          );
      }),
    );
  });

  it('keeps a noun phrase together', () => {
    const phrases = phrasesOf('A red bus drives by two brown dogs.');
    assert.deepEqual(
      phrases?.map(({ word }) => word),
      ['A red bus', 'drives', 'by', 'two brown dogs'],
    );
  });
});
