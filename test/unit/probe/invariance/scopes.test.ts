import assert from 'node:assert/strict';
import { findSaid, type Words } from '../../../../src/base/say';
import { invarianceClaims } from '../../../../src/probe/invariance/claims';
import { eachNeutral } from '../../../../src/probe/invariance/compare/eachNeutral';
import { pOfMore, spreadOf } from '../../../../src/probe/invariance/compare/wordSpread';
import { lexicon } from '../../../../src/perturb/society/lexicon';
import type { Metric, Slice } from '../../../../src/probe/metric';

type Ends = readonly [number, number];

const metric = (id: string, [low, high]: Ends, slice?: Slice): Metric => ({
  ...{ id, value: (low + high) / 2, n: 40, ci: [low, high] },
  ...(slice === undefined ? {} : { slice }),
});
const tested = (id: string, value: number, slice?: Slice): Metric => ({
  ...{ id, value, n: 40 },
  ...(slice === undefined ? {} : { slice }),
});

/** Every code in the words. */
const codesIn = (text: Words): string[] =>
  typeof text === 'string' ? [] : [text.code, ...text.values.flatMap((value) => codesIn(value as Words))];

const culture = 'invariance.societal.cultural';

/** One word with its change before any object, before persons and before things. */
const word = (whole: Ends, person?: Ends, thing?: Ends): Metric[] => [
  metric(`${culture}.African.median`, whole),
  tested(`${culture}.African.p`, 1e-6),
  ...(person === undefined ? [] : [metric(`${culture}.African.median`, person, { object: 'person' })]),
  ...(thing === undefined ? [] : [metric(`${culture}.African.median`, thing, { object: 'non-person' })]),
];

/** Two words on the same images. */
const pair = (prefix: string, variant: string, against: string, ends: Ends, p = 1e-6): Metric[] => {
  const slice = { variant, against };
  return [
    tested(`${prefix}.between`, p, slice),
    metric(`${prefix}.contrast`, ends, slice),
    metric(`${prefix}.contrastDelta`, ends, slice),
  ];
};

const neutral = 'invariance.societal.neutral';
const textsOf = (metrics: readonly Metric[]): string[] =>
  invarianceClaims(metrics).flatMap(({ text }) => codesIn(text));

describe('the scope of a verdict on words', () => {
  const [below, across, above]: Ends[] = [
    [-4, -2],
    [-1, 1],
    [2, 4],
  ];

  it('is named if persons and things differ', () => {
    const scopes: [Ends | undefined, Ends | undefined, string | undefined][] = [
      [below, below, undefined],
      [below, undefined, undefined],
      [across, below, 'invariance.shownForThings'],
      [below, across, 'invariance.shownForPersons'],
      [above, below, 'invariance.personsReversed'],
      [below, above, 'invariance.thingsReversed'],
      [across, across, 'invariance.shownTogetherOnly'],
    ];
    for (const [person, thing, code] of scopes) {
      const found = textsOf(word([-4, -2], person, thing));
      assert.equal(found[0] === 'row' ? found[1] : found[0], 'invariance.changeLowersScore');
      assert.deepEqual(
        found.filter((one) => /shown|Reversed/.test(one)),
        code === undefined ? [] : [code],
      );
      // The size is that of the images of one kind, if it is shown for these.
      const ofOneKind = {
        shownForThings: 'Things',
        personsReversed: 'Things',
        shownForPersons: 'Persons',
        thingsReversed: 'Persons',
      };
      const kind = ofOneKind[code?.split('.')[1] as keyof typeof ofOneKind] as string | undefined;
      assert.deepEqual(
        found.filter((one) => /rangeOf/.test(one)),
        kind === undefined ? [] : [`invariance.rangeOf${kind}`],
      );
    }
  });

  it('names animals only where the words of the family are used before them', () => {
    for (const [family, { suits }] of Object.entries(lexicon.families)) {
      const prefix = `invariance.societal.${family}.word`;
      const [{ text }] = invarianceClaims([
        ...[metric(`${prefix}.median`, below), tested(`${prefix}.p`, 1e-6)],
        ...[across, below].map((ends, i) =>
          metric(`${prefix}.median`, ends, { object: ['person', 'non-person'][i] }),
        ),
      ]);
      const isOnlyAnimals = suits.every((kind) => ['person', 'animal'].includes(kind));
      const others = suits.includes('animal') ? 'invariance.animals' : 'invariance.things';
      assert.equal(
        isOnlyAnimals,
        others === 'invariance.animals',
        'a family is of living beings or not of animals',
      );
      assert.ok(findSaid(findSaid(text, 'invariance.shownForThings'), others) !== undefined, family);
    }
  });

  it('is named for a pair of words, too, by the difference on the images of each kind', () => {
    const slice = { variant: 'local', against: 'foreign' };
    const political = 'invariance.societal.sociopolitical';
    const metrics = [
      ...pair(political, 'local', 'foreign', above),
      metric(`${political}.contrast`, across, { ...slice, object: 'person' }),
      metric(`${political}.contrast`, above, { ...slice, object: 'non-person' }),
    ];
    assert.deepEqual(
      textsOf(metrics).filter((one) => /wordScores|shown|Reversed/.test(one)),
      ['invariance.wordScoresHigher', 'invariance.shownForThings'],
    );
  });

  it('is named for flipped images, too', () => {
    for (const flip of ['vflip', 'hflip']) {
      const id = `invariance.spatial.${flip}`;
      const found = textsOf([
        metric(`${id}.median`, below),
        tested(`${id}.p`, 1e-6),
        metric(`${id}.median`, below, { object: 'person' }),
        metric(`${id}.median`, across, { object: 'non-person' }),
      ]);
      assert.ok(found.includes('invariance.shownForPersons'), flip);
    }
  });

  it('has the size of the images for which a change is shown', () => {
    const id = 'invariance.spatial.vflip';
    const [claim] = invarianceClaims([
      metric(`${id}.median`, [-5, -1]),
      tested(`${id}.p`, 1e-6),
      metric(`${id}.median`, across, { object: 'person' }),
      metric(`${id}.median`, [-9, -7], { object: 'non-person' }),
    ]);
    assert.deepEqual(findSaid(claim.text, 'invariance.percentInterval')?.values, ['7.0', '9.0']);
    assert.deepEqual(findSaid(claim.rule, 'invariance.intervalOfKind')?.values[0], 'non-person');
  });

  it('is the image with one object if captions are generated', () => {
    const rules = (metrics: readonly Metric[]) =>
      invarianceClaims(metrics).flatMap(({ rule }) => codesIn(rule));
    assert.ok(!rules(word(below)).includes('invariance.scopeSingle'));
    const templated = [...word(below), metric('invariance.object.mean', [0.2, 0.3])];
    assert.ok(rules(templated).includes('invariance.scopeSingle'));
  });
});

describe('two words of a family', () => {
  const all = ['normal', 'ordinary', 'plain', 'typical'];
  const pairsOf = (prefix: string, words: readonly string[], size: (a: string, b: string) => number) =>
    words.flatMap((a, i) =>
      words.slice(i + 1).flatMap((b) => pair(prefix, a, b, [size(a, b) - 0.1, size(a, b) + 0.1])),
    );
  const effects = (of: Record<string, number>) => (a: string, b: string) => of[a] - of[b];
  const shown = (of: Record<string, number>) =>
    textsOf([
      ...pairsOf(neutral, all, effects({ normal: 0, ordinary: 1, plain: 2, typical: 3 })),
      ...pairsOf(culture, Object.keys(of), effects(of)),
    ]).some((code) => code.startsWith('invariance.wordScoresHigher'));

  it('must vary more than neutral words do', () => {
    // The neutral words' effects have variance 5/3, and F(3, 3) is above 18.11 in 2 %: the words' variance must be above 30.18.
    assert.ok(!shown({ African: 0, Arab: 4.25, Asian: 8.5, Russian: 12.75 }), '30.10');
    assert.ok(shown({ African: 0, Arab: 4.26, Asian: 8.52, Russian: 12.78 }), '30.25');
    // One word among seven is 14 from the others: variance 28.0, where F(6, 3) needs 28.74.
    const alone = { African: 0, American: 0, Arab: 0, Asian: 0, European: 0, Oceanian: 0 };
    assert.ok(!shown({ ...alone, Russian: 14 }));
    assert.ok(shown({ ...alone, Russian: 14.3 }));
  });

  it('have the p value of SciPy, also if some words have no common images', () => {
    const own = [...pairsOf(culture, ['a', 'b', 'c'], () => 2), ...pairsOf(culture, ['d', 'e'], () => 4)];
    const of = (metrics: readonly Metric[]) => spreadOf(metrics.filter(({ id }) => id.endsWith('.contrast')));
    const spread = of(own);
    assert.deepEqual(spread, { words: 5, largest: 4, variance: (3 * 4 + 16) / 8, degrees: 3 });
    const yard = of(pairsOf(neutral, all, () => 1));
    // scipy.stats.f.sf(7, 3, 3)
    assert.ok(Math.abs(pOfMore(spread, yard) - 0.07214680640719377) < 1e-12);
    assert.equal(pOfMore(spread, { ...yard, variance: 0 }), 0);
  });
});

describe('neutral words that differ', () => {
  const whole = tested(`${neutral}.between`, 1e-6);
  const flips = metric('invariance.societal.rrf@0.7', [0.2, 0.3]);
  const byArticle = [whole, flips, ...pair(neutral, 'ordinary', 'plain', [-4, -2])];

  it('are named', () => {
    const [claim] = invarianceClaims([whole, ...pair(neutral, 'normal', 'typical', [-4, -2])]);
    assert.deepEqual(claim.text, {
      code: 'invariance.neutralPairDiffers',
      values: ['typical', 'normal'],
    });
    assert.deepEqual(textsOf([whole]), ['invariance.neutralWordsDiffer']);
  });

  it('are an effect of the article if only words with another article differ', () => {
    assert.deepEqual(
      textsOf(byArticle).filter((one) => /eutral|Article/.test(one)),
      ['invariance.swapsByArticle', 'invariance.neutralArticlesDiffer'],
    );
    const more = [...byArticle, ...pair(neutral, 'normal', 'plain', [2, 4])];
    assert.ok(textsOf(more).includes('invariance.neutralPairDiffers'));
    assert.ok(!textsOf(more).includes('invariance.swapsByArticle'));
  });

  it('withhold a verdict on two words that the article explains, and no other', () => {
    const found = (high: string, low: string) =>
      textsOf([...byArticle, ...pair(culture, high, low, [98, 102])]).includes(
        'invariance.wordScoresHigherBy',
      );
    // "plain" scores higher than "ordinary", so "a" does.
    assert.ok(!found('Russian', 'African'));
    assert.ok(found('African', 'Russian'));
    assert.ok(found('Russian', 'European'));
  });

  it('withhold a verdict on two words that differ no more than they do', () => {
    const among = (ends: Ends) =>
      textsOf([
        whole,
        ...pair(neutral, 'normal', 'typical', [-4, -2]),
        ...pair(culture, 'Russian', 'Arab', ends),
      ]);
    assert.ok(!among([1, 5]).some((one) => /wordScoresHigher|neutralDifferUpTo/.test(one)));
    // Two words have one degree of freedom, so the difference must be 31.8 times that of the neutral words.
    const beyond = among([94, 98]).filter((one) => /wordScoresHigher|neutralDifferUpTo/.test(one));
    assert.deepEqual(beyond, ['invariance.wordScoresHigherBy', 'invariance.neutralDifferUpTo']);
  });

  it('make words of a family share a verdict, so that none reads as special', () => {
    const words = ['African', 'Arab', 'Asian'].flatMap((name, i) => {
      const own = `${culture}.${name}`;
      const p = i < 2 ? 1e-6 : 0.5;
      return [
        metric(`${own}.median`, i < 2 ? [-4, -2] : [-1, 1]),
        tested(`${own}.p`, p),
        tested(`${own}.p`, p, eachNeutral),
      ];
    });
    const found = invarianceClaims([whole, ...pair(neutral, 'normal', 'typical', [-4, -2]), ...words]);
    assert.deepEqual(found.map(({ text }) => text)[1], {
      code: 'invariance.wordsLowerScore',
      values: ['2', '3', 'African, Arab'],
    });
  });
});
