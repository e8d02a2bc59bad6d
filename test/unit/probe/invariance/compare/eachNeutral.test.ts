import assert from 'node:assert/strict';
import { atOnce } from '../../../../../src/base/turns/steps';
import { Random } from '../../../../../src/base/random';
import { findSaid, say } from '../../../../../src/base/say';
import { english } from '../../../../../src/base/english';
import { Cell } from '../../../../../src/probe/invariance/cell';
import { invarianceClaims } from '../../../../../src/probe/invariance/claims';
import { eachNeutral, eachNeutralTest } from '../../../../../src/probe/invariance/compare/eachNeutral';
import { NeutralSwaps } from '../../../../../src/probe/invariance/compare/neutralSwaps';
import type { InvarianceRow } from '../../../../../src/probe/invariance/row';
import type { Metric } from '../../../../../src/probe/metric';

/** A word that changes the score by `effect` on images from `from` on. */
function word(name: string, effect: number, from = 0): { name: string; cell: Cell } {
  const cell = new Cell();
  for (let image = from; image < 40; image++) {
    const score = 2 + effect + 0.1 * new Random(3, name, image, 'noise').uniform();
    cell.add({ image, reference: String(image), category: 'animal', against: 2, score });
  }
  return { name, cell };
}

const tested = (effect: number, neutral: readonly { name: string; cell: Cell }[]): Metric =>
  atOnce(eachNeutralTest('f.p', word('own', effect).cell, neutral));

describe('a neutral word in place of another', () => {
  it('is compared with the neutral word that the words of the row replace', () => {
    const swaps = new NeutralSwaps();
    const variant = (family: string, name: string, score: number) => ({
      ...{ axis: 'societal' as const, family, variant: name, text: `There is a ${name} cup.` },
      ...{ againstText: family === 'neutral' ? 'There is a cup.' : 'There is a plain cup.' },
      ...{ against: 0, score, delta: 0, change: 0 },
    });
    for (let image = 0; image < 30; image++) {
      const neutral = [0.2, 0.4, 0].map((score, i) =>
        variant('neutral', ['plain', 'normal', 'usual'][i], score),
      );
      const variants = [...neutral, variant('cultural', 'Arab', -1)];
      swaps.add({ text: `Cup ${image}.`, variants } as InvarianceRow, image);
    }
    const risks = atOnce(swaps.metrics(2));
    // 30 shifts of +0.1 and 30 of −0.1 of the range: the second exceeds the first in a quarter of the ordered pairs.
    assert.deepEqual(
      risks.map(({ id, value, n, slice }) => [id, value?.toFixed(12), n, slice]),
      ['0.3', '0.5', '0.7', '1.0'].map((gap) => [
        `invariance.societal.neutral.rrf@${gap}`,
        ...['0.250000000000', 60, { against: 'another neutral word' }],
      ]),
    );
    const [claim] = invarianceClaims([
      { id: 'invariance.societal.rrf@0.7', value: 0.4, ci: [0.3, 0.5], n: 60 },
      { id: 'invariance.societal.neutral.rrf@0.7', value: 0.3, ci: [0.1, 0.2], n: 60 },
      { ...risks[2], ci: [0.2, 0.3] },
    ]);
    assert.deepEqual(findSaid(claim.text, 'invariance.neutralSwaps')?.values, [
      say('invariance.percentInterval', '20.0', '30.0'),
    ]);
  });
});

describe('a word against each neutral word', () => {
  const neutral = [word('plain', -0.1), word('normal', 0), word('typical', 0.1)];

  it('differs only if it scores lower or higher than all of them', () => {
    assert.ok(tested(-0.3, neutral).value! < 1e-6);
    assert.ok(tested(0.3, neutral).value! < 1e-6);
    // Equal to one neutral word, and therefore far from the other two.
    assert.ok(tested(-0.1, neutral).value! > 0.05);
    assert.equal(tested(0.05, neutral).value, 1);
  });

  it('is not compared with a neutral word that few of its images have', () => {
    assert.ok(tested(-0.1, [word('plain', -0.1, 21), neutral[1]]).value! < 1e-6);
    assert.equal(tested(-0.1, [word('plain', -0.1, 21)]).value, null);
  });

  it('has no verdict if it does not differ from each', () => {
    const word = 'invariance.societal.cultural.Arab';
    const texts = (each: number | null | undefined, between = 0.3) =>
      invarianceClaims([
        { id: 'invariance.societal.neutral.between', value: between, n: 100 },
        { id: `${word}.median`, value: -4, ci: [-5, -3], n: 100 },
        { id: `${word}.p`, value: 1e-9, n: 100 },
        ...(each === undefined ? [] : [{ id: `${word}.p`, value: each, n: 100, slice: eachNeutral }]),
      ]).map(({ text, rule }) => [english(text), english(rule)]);
    assert.deepEqual([texts(0.03), texts(null)], [[], []]);
    assert.match(texts(0.001)[0][0], /"Arab"/);
    assert.match(texts(0.001)[0][1], /p = 0\.0010/);
    // Nouns have one neutral word.
    assert.match(texts(undefined)[0][0], /"Arab"/);
    // Neutral words may differ, as the word differs from each of them.
    assert.equal(texts(0.001, 1e-6).length, 2);
  });
});
