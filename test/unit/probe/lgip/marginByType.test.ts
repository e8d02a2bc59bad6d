import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Words } from '../../../../src/base/say';
import { lgipClaims } from '../../../../src/probe/lgip/claims';
import { lgip } from '../../../../src/probe/lgip/lgip';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import type { Metric } from '../../../../src/probe/metric';
import { example, drive } from './drive';

const metric = (id: string, low: number, high: number, n = 100): Metric => ({
  ...{ id, value: (low + high) / 2, n, ci: [low, high] },
});
const code = (text: Words): string => (typeof text === 'string' ? text : text.code);
/** Every code in the words. */
const codesIn = (text: Words): string[] =>
  typeof text === 'string' ? [] : [text.code, ...text.values.flatMap((value) => codesIn(value as Words))];

type Ends = [number, number];
const first = (whole: Ends, types: Partial<Record<'object' | 'color' | 'number', Ends>>, n = 100) =>
  lgipClaims([
    metric('lgip.margin', ...whole),
    metric('lgip.sens', 0.01, 0.1),
    ...Object.entries(types).map(([type, ends]) => metric(`lgip.margin.${type}`, ...ends, n)),
  ]).at(0)?.text ?? '';

describe('the margin of LGIP by type of flip', () => {
  it('gives the verdict on flips in general only if no type goes the other way', () => {
    const object: Ends = [0.08, 0.12];
    assert.equal(code(first([0.02, 0.06], { object, color: [0.001, 0.02] })), 'lgip.paraphrasesChangeLess');
    const mixed = first([0.02, 0.06], { object, color: [-0.01, -0.002], number: [-0.02, 0.03] });
    assert.equal(code(mixed), 'lgip.marginsByType');
    for (const part of ['lgip.marginAbove', 'lgip.marginBelow', 'lgip.marginUndecided'])
      assert.ok(codesIn(mixed).includes(part), part);
  });

  it('is withheld by a type whose interval lies on the other side, however few its images are, and by no other', () => {
    const object: Ends = [0.08, 0.12];
    const whole: Ends = [0.02, 0.06];
    assert.equal(code(first(whole, { object, color: [-0.02, 0.019] })), 'lgip.paraphrasesChangeLess');
    assert.equal(code(first(whole, { object, color: [-0.06, 0.001] })), 'lgip.paraphrasesChangeLess');
    const few = first(whole, { color: [-0.01, -0.002] }, 10);
    assert.notEqual(code(few), 'lgip.paraphrasesChangeLess');
    const below: Ends = [-0.06, -0.02];
    assert.equal(code(first(below, { object: [-0.02, 0.03] })), 'lgip.paraphrasesChangeMore');
    assert.equal(code(first(below, { object: [0.01, 0.03], color: below })), 'lgip.marginsByType');
  });

  it('and the verdict on caught flips, too', () => {
    const sentences = (whole: Ends, color: Ends, n = 100): string[] =>
      lgipClaims([
        metric('lgip.pr', ...whole),
        metric('lgip.pr.object', ...whole),
        metric('lgip.pr.color', ...color, n),
      ]).map(({ text }) => code(text));
    const [above, below] = ['lgip.caughtAboveChance', 'lgip.caughtBelowChance'];
    assert.ok(sentences([0.6, 0.7], [0.24, 0.57]).includes(above));
    for (const n of [10, 100])
      assert.deepEqual(sentences([0.6, 0.7], [0.24, 0.45], n), ['lgip.typesDetected'], `${n} images`);
    assert.ok(sentences([0.3, 0.4], [0.43, 0.7]).includes(below));
    assert.deepEqual(sentences([0.3, 0.4], [0.55, 0.7]), ['lgip.typesDetected']);
    // Ties count as not caught: a share of 40 % with 20 % ties is at chance level.
    const tied = lgipClaims([
      metric('lgip.pr', 0.6, 0.7),
      { ...metric('lgip.pr.color', 0.38, 0.42), ties: 20 },
    ]);
    assert.equal(code(tied[0].text), above);
  });

  it('tests all types together and each type as one family', () => {
    // p = .029, which Holm's correction over two tests doubles.
    const whole: Ends = [0.005, 0.095];
    assert.equal(code(first(whole, {})), 'lgip.paraphrasesChangeLess');
    assert.equal(code(first(whole, { object: [-0.02, 0.03] })), 'lgip.paraphrasesUndecided');
    assert.equal(code(first([-0.02, 0.03], { object: whole })), 'lgip.paraphrasesUndecided');
    assert.equal(code(first([-0.02, 0.03], { object: [0.02, 0.08] })), 'lgip.marginsByType');
  });

  it('does not hide types that differ behind an undecided mean', () => {
    const mixed = first([-0.02, 0.02], { object: [0.05, 0.09], color: [-0.09, -0.05] });
    assert.equal(code(mixed), 'lgip.marginsByType');
    const noise = first([-0.02, 0.02], { object: [-0.01, 0.03], color: [-0.03, 0.01] });
    assert.equal(code(noise), 'lgip.paraphrasesUndecided');
  });

  /** 60 captions of as many images, whose flips replace one of a few words. A flip's fall is what `fallOf` says. */
  const claimsOf = (words: number, fallOf: (word: number, i: number) => number): string[] => {
    const summary = lgip.summary({ dataset: 'd', seed: 1, options: {}, scores: ['image-text'] });
    for (let i = 0; i < 60; i++) {
      const word = i % words;
      const text = `a w${word} here`;
      const fall = fallOf(word, i);
      const own = { kind: 'object' as const, rule: 'object', was: [2, 4] as const, span: [2, 7] as const };
      summary.add({
        ...{ example: `${i}`, row: i, image: `${i}.jpg`, text, words: 3, outcome: 'perturbed', score: 1 },
        variants: [
          {
            family: 'paraphrase',
            ...own,
            text: 'here',
            score: 1.1 + (i % 7) / 100,
            delta: 0.1 + (i % 7) / 100,
          },
          { family: 'flip', ...own, text: 'a other here', score: 1 - fall, delta: -fall, gap: fall },
        ],
      } as unknown as LgipRow);
    }
    return lgip.claims(atOnce(summary.finish()).metrics).map(({ text }) => code(text));
  };

  it('needs the test with one observation per replaced word', () => {
    const noise = (i: number) => ((i * 7) % 11) / 100;
    // Every flip falls more than the paraphrase changes: both tests agree.
    assert.equal(claimsOf(12, (_, i) => 0.3 + noise(i))[0], 'lgip.paraphrasesChangeLess');
    // The fall follows from the word alone, and four of six words fall: images are 60 copies of six observations.
    const byWord = (word: number, i: number) => (word % 3 === 0 ? -0.2 : 0.6) + noise(i);
    assert.equal(claimsOf(6, byWord)[0], 'lgip.paraphrasesUndecided');
    assert.equal(claimsOf(60, byWord)[0], 'lgip.paraphrasesChangeLess');
  });

  it('lets flips raise the score only by the same test', () => {
    const noise = (i: number) => ((i * 7) % 11) / 100;
    assert.equal(claimsOf(12, (_, i) => -0.3 - noise(i))[0], 'lgip.flipsRaiseScore');
    const byWord = (word: number, i: number) => (word % 3 === 0 ? 0.3 : -0.6) - noise(i);
    assert.equal(claimsOf(6, byWord)[0], 'lgip.paraphrasesUndecided');
  });

  it('is a mean over captions with paraphrases and flips of the type', () => {
    const { rows, findings } = drive([
      example('a', ['A red truck parked next to two dogs.']),
      example('b', ['a cat sitting on a couch']),
    ]);
    const found = rows.map(({ variants }) => {
      const moved = variants
        .filter(({ family }) => family === 'paraphrase')
        .map(({ delta }) => Math.abs(delta));
      const gaps = variants.filter(({ family, kind }) => family === 'flip' && kind === 'color');
      const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
      return gaps.length === 0 || moved.length === 0 ? [] : [mean(gaps.map(({ gap }) => gap!)) - mean(moved)];
    });
    assert.equal(found.flat().length, 1);
    const own = findings.metrics.find(({ id }) => id === 'lgip.margin.color')!;
    assert.ok(Math.abs(own.value! - found.flat()[0]) < 1e-12);
    assert.equal(own.n, 1);
  });
});

describe('the types of LGIP against both limits', () => {
  const rate = (type: string, low: number, high: number): Metric => metric(`lgip.pr.${type}`, low, high);

  it('are one family of tests', () => {
    // The p value of objects against 50 % is .010: below .05 / 3, above .05 / 6.
    const barely = lgipClaims([
      rate('object', 0.54, 0.8),
      rate('color', 0.45, 0.8),
      rate('number', 0.45, 0.8),
    ]).at(-1)!;
    assert.deepEqual(
      codesIn(barely.text).filter((own) => own.startsWith('lgip.type') && own !== 'lgip.typesDetected'),
      ['lgip.typeNotFromChance'],
    );
    assert.ok(codesIn(barely.rule).includes('lgip.typesRule'));
    const rule = barely.rule as { values: readonly Words[] };
    assert.equal(String(rule.values[2]), '6');
  });
});
