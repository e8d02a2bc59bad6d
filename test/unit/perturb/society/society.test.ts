import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { english, englishOf } from '../../../../src/base/english';
import { findSaid, isSaid, say } from '../../../../src/base/say';
import { controlBefore, controlFor, nounOf, templateCaption } from '../../../../src/perturb/society/caption';
import { lexicon, readLexicon } from '../../../../src/perturb/society/lexicon';
import { rewrites } from '../../../../src/perturb/society/natural';
import { articleFor } from '../../../../src/perturb/words/number';
import { misfit } from '../../../../src/perturb/society/screen';

describe('captions of one object', () => {
  it('read as people write', () => {
    const said = (label: string, word?: string) =>
      templateCaption(lexicon, label, word === undefined ? undefined : { word, kind: 'adjective' });
    assert.equal(said('elephant'), 'There is an elephant.');
    assert.equal(said('elephant', 'happy'), 'There is a happy elephant.');
    assert.equal(said('bed', 'African'), 'There is an African bed.');
    assert.equal(said('bed', 'European'), 'There is a European bed.');
    assert.equal(said('skis'), 'There is a pair of skis.');
    assert.equal(said('skis', 'expensive'), 'There is a pair of expensive skis.');
    assert.equal(said('tv'), 'There is a TV.');
    assert.equal(said('SUV', 'cheap'), 'There is a cheap SUV.');
    assert.equal(said('SUV'), 'There is an SUV.');
    assert.equal(said('Cabinet/shelf', 'plain'), 'There is a plain cabinet.');
    assert.equal(nounOf('Bat (Animal)'), 'bat');
    assert.equal(
      templateCaption(lexicon, 'person', { word: 'immigrant', kind: 'noun' }),
      'There is an immigrant.',
    );
  });

  it('choose the article by sound', () => {
    for (const word of ['umbrella', 'hour', 'orange', 'MP3']) assert.equal(articleFor(word), 'an', word);
    for (const word of ['unicycle', 'European', 'one-way sign', 'used car', 'dog'])
      assert.equal(articleFor(word), 'a', word);
  });

  it('are compared with a neutral word of the closest length', () => {
    const control = (word: string, as?: 'noun') =>
      controlFor(lexicon, as === undefined ? { word } : { word, as });
    assert.equal(
      controlFor(
        lexicon,
        lexicon.families.cultural.words.find(({ word }) => word === 'African')!,
      ),
      'typical',
    );
    assert.equal(control('African'), 'regular');
    assert.equal(control('American'), 'ordinary');
    assert.equal(control('cheap'), 'plain');
    assert.equal(control('boy', 'noun'), 'kid');
    const of = (wanted: string) => lexicon.families.gender.words.find(({ word }) => word === wanted)!;
    assert.deepEqual([controlFor(lexicon, of('boy')), controlFor(lexicon, of('girl'))], ['kid', 'kid']);
    const turned = {
      ...lexicon,
      controls: {
        adjective: [...lexicon.controls.adjective].reverse(),
        noun: [...lexicon.controls.noun].reverse(),
      },
    };
    for (const { words: own } of Object.values(lexicon.families))
      for (const word of own) assert.equal(controlFor(turned, word), controlFor(lexicon, word), word.word);
    const words = Object.values(lexicon.families).flatMap((family) => family.words);
    for (const word of words)
      assert.ok(Math.abs(controlFor(lexicon, word).length - word.word.length) <= 3, word.word);
  });
});

describe('screening of words and objects', () => {
  const why = (family: string, word: string, label: string, category: string) => {
    const found = lexicon.families[family].words.find((one) => one.word === word);
    assert.ok(found !== undefined);
    return misfit(lexicon, family, found, label, category);
  };

  it('accepts sensible pairs and says what is wrong with others', () => {
    assert.equal(why('cultural', 'African', 'person', 'person'), undefined);
    assert.equal(why('cultural', 'African', 'bed', 'furniture'), undefined);
    assert.deepEqual(why('cultural', 'African', 'elephant', 'animal'), say('perturb.namesBreed'));
    assert.deepEqual(why('emotion', 'angry', 'chair', 'furniture'), say('perturb.thingsHaveNoFeelings'));
    assert.deepEqual(why('economic', 'cheap', 'Fire hydrant', 'outdoor'), say('perturb.nobodyShops'));
    assert.deepEqual(why('gender', 'male', 'Woman', 'person'), say('perturb.genderStated'));
    assert.deepEqual(why('gender', 'girl', 'Woman', 'person'), say('perturb.nounTooGeneral'));
    const reasons = [
      ...Object.values(lexicon.families).map(({ otherwise }) => otherwise),
      ...lexicon.rejected.map(({ reason }) => reason),
    ];
    for (const reason of reasons)
      assert.ok(isSaid(reason) && englishOf(reason.code) !== reason.code, english(reason));
    assert.deepEqual(why('sociopolitical', 'tourist', 'bus', 'vehicle'), say('perturb.nounForPerson'));
  });
});

describe('captions written by people', () => {
  const neutral = (caption: string) => rewrites(lexicon, caption).map((rewrite) => rewrite.neutral);

  it('lose only their word, and adjust the article by sound', () => {
    assert.deepEqual(neutral('An African man rides a bus.'), ['A typical man rides a bus.']);
    assert.deepEqual(neutral('There is a cheap hotel room'), ['There is a plain hotel room']);
    assert.deepEqual(neutral('A boy holding a kite'), ['A kid holding a kite']);
    assert.deepEqual(neutral('A YOUNG GIRL EATING PIZZA'), ['A YOUNG KID EATING PIZZA']);
    const [swap] = rewrites(lexicon, 'A cheap bike by a wall');
    assert.equal(swap.swapped, 'An expensive bike by a wall');
  });

  it('stay unchanged where the word says what the image shows', () => {
    for (const caption of [
      'An American flag flying from a pole',
      'An African American man in a park',
      'A native American couple on a bike',
      'An African elephant in a zoo',
      'A plate of Asian food',
      'A sign in a foreign language',
      'A crowded Asian street',
      'A happy birthday cake',
      'A sad dog on a sofa',
      'A happy elephant in the mud',
      'A woman with a happy look on her face',
      'A sad clown in a tent',
      'less expensive looking cars',
      'A female surfing on a board',
      'A ball boy on a tennis court',
    ])
      assert.deepEqual(neutral(caption), [], caption);
  });

  it('lose a visible mood, but never get another one', () => {
    const [mood] = rewrites(lexicon, 'A happy woman in a park');
    assert.equal(mood.neutral, 'An ordinary woman in a park');
    assert.equal(mood.swapped, undefined);
  });

  it('never call a person plain, which says how the person looks', () => {
    for (const caption of [
      'A happy woman in a park',
      'A male tennis player on a court',
      'a sad little boy',
      'Two angry men on a street',
      'A local woman with a dog',
      'an Asian woman in a suitcase',
      'A female surfer on a wave',
    ])
      for (const text of neutral(caption)) assert.doesNotMatch(text, /plain|normal/i, caption);
    assert.deepEqual(neutral('A cheap bike by a wall'), ['A plain bike by a wall']);
    const happy = lexicon.families.emotion.words.find(({ word }) => word === 'happy')!;
    assert.equal(controlBefore(lexicon, happy, 'person'), 'ordinary');
    assert.equal(controlBefore(lexicon, happy, 'dog'), 'plain');
  });

  it('get a neutral word in the place where people put it', () => {
    assert.deepEqual(neutral('A young Asian girl at a table'), ['An ordinary young girl at a table']);
    assert.deepEqual(neutral('Young male skater on a ramp'), ['Ordinary young skater on a ramp']);
    assert.deepEqual(neutral('Several male riders'), ['Several ordinary riders']);
    assert.deepEqual(neutral('AN OLD ASIAN MAN'), ['AN ORDINARY OLD MAN']);
  });

  it('stay unchanged if the word is joined to another adjective, or part of a name for a group', () => {
    assert.deepEqual(neutral('A male and female tennis player on a court'), []);
    assert.deepEqual(neutral('A senior citizen at a table'), []);
    assert.deepEqual(neutral('A citizen at a table'), ['A person at a table']);
    assert.deepEqual(neutral('A dog and female tennis player'), ['A dog and ordinary tennis player']);
  });

  it('swap a gender only where nothing else states it', () => {
    const swap = (caption: string) => rewrites(lexicon, caption)[0].swapped;
    assert.equal(swap('A girl on a swing'), 'A boy on a swing');
    assert.equal(swap('A girl next to a man'), undefined);
    assert.equal(swap('A female player in a dress'), undefined);
  });

  it('leave out a gender that a pronoun still states', () => {
    for (const caption of [
      'A girl and her dog',
      'A female player raises her racket',
      'A boy who thinks he flies',
    ])
      assert.deepEqual(neutral(caption), [], caption);
    assert.deepEqual(neutral('An Asian girl and her dog'), ['An ordinary girl and her dog']);
  });

  it('stay unchanged if the word has another meaning', () => {
    for (const caption of [
      'The female is riding.',
      'He looks happy.',
      'A dog on a sofa',
      'A citizen science project',
      '',
    ])
      assert.deepEqual(neutral(caption), [], caption);
  });
});

describe("a user's lexicon", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-lexicon-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('replaces the built-in one, or says what is wrong with it', () => {
    const path = join(folder, 'own.json');
    const own = structuredClone(lexicon);
    own.families = {
      age: { suits: ['person'], otherwise: 'things are not young', words: [{ word: 'young' }] },
    };
    writeFileSync(path, JSON.stringify(own));
    assert.deepEqual(readLexicon(path), own);
    const broken = (value: unknown, expected: RegExp) => {
      writeFileSync(path, JSON.stringify(value));
      assert.throws(
        () => readLexicon(path),
        (error: unknown) =>
          error instanceof CaptiousError && error.at === path && expected.test(error.message),
      );
    };
    broken(
      { ...own, templates: { base: 'There is it.', attribute: 'x' } },
      /templates\.base is not a text with \{a\}/,
    );
    broken({ ...own, controls: { adjective: [], noun: ['person'] } }, /controls\.adjective/);
    broken(
      { ...own, families: { age: { suits: ['person'], otherwise: 'x', words: [{}] } } },
      /words\[0\]\.word/,
    );
    const errorOf = (name: string): CaptiousError => {
      try {
        readLexicon(join(folder, name));
      } catch (error) {
        assert.ok(error instanceof CaptiousError);
        return error;
      }
      assert.fail('it was read');
    };
    const { what, details } = errorOf('nowhere.json');
    assert.deepEqual(
      [what, details.remedy],
      [say('perturb.lexiconMissing'), say('perturb.correctLexiconOption')],
    );
    // A folder exists, but is not a file.
    const ofFolder = errorOf('.');
    assert.ok(findSaid(ofFolder.what, 'perturb.lexiconUnreadable'));
    assert.deepEqual(ofFolder.details.remedy, say('perturb.correctLexiconOption'));
    writeFileSync(join(folder, 'cut.json'), '{bad');
    const ofCut = errorOf('cut.json');
    assert.ok(findSaid(ofCut.what, 'perturb.lexiconInvalid'));
    assert.ok(findSaid(ofCut.details.remedy, 'perturb.copyBuiltInLexicon'));
  });
});
