import assert from 'node:assert/strict';
import { english } from '../../../../../src/base/english';
import { Random } from '../../../../../src/base/random';
import { findSaid, isSaid, type Words } from '../../../../../src/base/say';
import { atOnce } from '../../../../../src/base/turns/steps';
import { BesideBlind } from '../../../../../src/probe/benchmark/beside/besideBlind';
import { claimsBesideBlind } from '../../../../../src/probe/benchmark/beside/claims';
import { chanceOf, creditsOf, decided, type Rule } from '../../../../../src/probe/benchmark/beside/decisions';
import { checkItems } from '../../../../../src/probe/benchmark/benchmark';
import { testedBaselines } from '../../../../../src/probe/benchmark/blind/verdict';
import type { Metric } from '../../../../../src/probe/metric';
import { sugarcrepe } from '../../../../../src/probe/sugarcrepe/sugarcrepe';

interface Pair {
  image: string;
  example: string;
  captions: [right: string, wrong: string];
}

/** Every word occurs once, so that nothing but the length tells captions apart. In `shorter` of them, the right one is shorter. */
function pairsOf(n: number, shorter: number, perImage = 1): Pair[] {
  return Array.from({ length: n }, (_, i) => {
    const [short, long] = [4, 6].map((length) =>
      Array.from({ length }, (__, w) => `w${i}x${length}x${w}`).join(' '),
    );
    return {
      ...{ image: `${Math.floor(i / perImage)}.jpg`, example: String(i) },
      captions: i < shorter ? [short, long] : [long, short],
    };
  });
}

type Evaluator = (pair: Pair) => [right: number, wrong: number];
const lengths = ({ captions }: Pair): number[] => captions.map((caption) => -caption.split(' ').length);
const shorter: Evaluator = (pair) => lengths(pair) as [number, number];
const longer: Evaluator = (pair) => lengths(pair).map((score) => -score) as [number, number];
const guess =
  (run: number): Evaluator =>
  ({ example }) => [new Random('guess', run, example).uniform(), 0.5];
/** Right in this share, whatever the captions are. */
const seeing =
  (share: number): Evaluator =>
  ({ example }) => [new Random('seeing', example).uniform() < share ? 1 : 0, 0.5];

function metricsOf(pairs: readonly Pair[], evaluator: Evaluator, most?: number): Metric[] {
  const beside = new BesideBlind(42, most);
  for (const pair of pairs) beside.add(pair, pair.captions, [true, false], evaluator(pair));
  return atOnce(beside.metrics('x', 'every'));
}

const of = (metrics: readonly Metric[], ending: string): Metric =>
  metrics.find(({ id }) => id === `x.${ending}`)!;
const codes = (words: Words | undefined): string[] =>
  isSaid(words) ? [words.code, ...words.values.flatMap(codes)].filter((code) => code !== 'row') : [];

const scored = (rule: Rule, isRight: boolean[], scores: number[]): number =>
  decided(creditsOf(isRight, scores), rule);

/** The share of all ways to break ties in which a decision is right. */
function byOrders(rule: Rule, isRight: readonly boolean[], scores: readonly number[]): number {
  let [right, all] = [0, 0];
  for (const order of orders([...scores.keys()])) {
    const places = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || order[a] - order[b]);
    const answers = places.map((c) => isRight[c]);
    const isDecided =
      rule === 'best'
        ? answers[0]
        : !answers.slice(0, answers.indexOf(false)).includes(false) &&
          answers.lastIndexOf(true) < answers.indexOf(false);
    all++;
    if (isDecided) right++;
  }
  return right / all;
}

function* orders(left: readonly number[]): Generator<number[]> {
  if (left.length === 0) yield [];
  for (const [i, one] of left.entries())
    for (const more of orders(left.toSpliced(i, 1))) yield [one, ...more];
}

describe('a decision between captions', () => {
  it('has the credit of all ways to break ties, and the chance of random scores', () => {
    let tried = 0;
    for (const isRight of [
      [true, false],
      [true, true, false],
      [true, false, false],
      [true, true, false, false],
    ])
      for (const rule of ['every', 'best'] as const) {
        const random = byOrders(
          rule,
          isRight,
          isRight.map(() => 0),
        );
        assert.ok(Math.abs(chanceOf({ isRight }, rule) - random) < 1e-12);
        for (let code = 0; code < 3 ** isRight.length; code++) {
          const scores = isRight.map((_, c) => Math.floor(code / 3 ** c) % 3);
          const credit = scored(rule, isRight, scores);
          assert.ok(
            Math.abs(credit - byOrders(rule, isRight, scores)) < 1e-12,
            `${rule} ${isRight} ${scores}`,
          );
          tried++;
        }
      }
    assert.equal(tried, 2 * (9 + 27 + 27 + 81));
  });
});

describe('an accuracy beside models without the image', () => {
  const pairs = pairsOf(200, 136);

  it('is 0 beyond the best baseline for this baseline itself, and 1 for its opposite', () => {
    const same = metricsOf(pairs, shorter);
    const { value, kind, n, chance } = of(same, 'blind');
    assert.deepEqual([value, kind, n, chance], [0.68, 'shorter', 200, 0.5]);
    const beyond = of(same, 'beyondBlind');
    assert.deepEqual([beyond.value, beyond.n, beyond.chance, beyond.ties], [0, 64, 0.5, 0]);
    assert.deepEqual([of(same, 'blind.gain').value, of(same, 'blind.gain.p').value], [0, null]);
    const opposite = metricsOf(pairs, longer);
    assert.deepEqual([of(opposite, 'beyondBlind').value, of(opposite, 'beyondBlind').n], [1, 64]);
    assert.ok(Math.abs(of(opposite, 'blind.gain').value! + 0.36) < 1e-12);
  });

  it('is the chance level for random guesses: the intervals exclude it in at most 5 of 40 runs', () => {
    const found = Array.from({ length: 40 }, (_, run) => of(metricsOf(pairs, guess(run)), 'beyondBlind'));
    const mean = found.reduce((sum, { value }) => sum + value! / found.length, 0);
    assert.ok(Math.abs(mean - 0.5) < 3 * Math.sqrt(0.25 / 64 / 40), String(mean));
    assert.ok(found.filter(({ ci }) => ci![0] > 0.5 || ci![1] < 0.5).length <= 5);
  });

  it('is that of all choices for an evaluator that does not depend on the captions', () => {
    const metrics = metricsOf(pairs, seeing(0.9));
    const rights = pairs.map((pair) => (seeing(0.9)(pair)[0] === 1 ? 1 : 0));
    assert.equal(of(metrics, 'beyondBlind').value, rights.slice(136).reduce((a: number, b) => a + b, 0) / 64);
    const accuracy = rights.reduce((a: number, b) => a + b, 0) / 200;
    assert.ok(Math.abs(of(metrics, 'blind.gain').value! - (accuracy - 0.68)) < 1e-12);
    assert.ok(of(metrics, 'blind.gain.p').value! < 0.001);
  });

  it('counts ties of the evaluator as wrong, and half in the difference', () => {
    const metrics = metricsOf(pairs, () => [1, 1]);
    assert.deepEqual([of(metrics, 'beyondBlind').value, of(metrics, 'beyondBlind').ties], [0, 64]);
    assert.ok(Math.abs(of(metrics, 'blind.gain').value! - (0.5 - 0.68)) < 1e-12);
  });

  it('has the baseline that captious benchmark names, with the same interval and p value', () => {
    const several = pairsOf(240, 170, 3);
    const items = several.map(({ image, example, captions }, row) => ({
      ...{ image, example, row, captions, right: 0, observation: image, isList: false, tags: {} },
    }));
    const [best] = testedBaselines(atOnce(checkItems(items, 42)).metrics);
    const blind = of(metricsOf(several, guess(0)), 'blind');
    assert.deepEqual(
      [blind.kind, blind.value, blind.ci, blind.chance, blind.images],
      [best.name, best.metric.value, best.metric.ci, 0.5, 80],
    );
    assert.ok(best.isAbove);
  });

  it('has no value without a baseline above chance, below 20 images, and without choices', () => {
    for (const [found, why] of [
      [metricsOf(pairsOf(200, 100), seeing(0.9)), 'benchmark.noBlind'],
      [
        metricsOf(
          pairsOf(30, 30).map((pair) => ({ ...pair, captions: ['same', 'same'] })),
          seeing(0.9),
        ),
        'benchmark.noBlind',
      ],
      [metricsOf(pairsOf(19, 19), seeing(0.9)), 'benchmark.tooFewForBlind'],
      [metricsOf(pairsOf(95, 95, 5), seeing(0.9)), 'benchmark.tooFewForBlind'],
    ] as const)
      assert.deepEqual(
        found.map(({ id, value, note }) => [id, value, codes(note)]),
        ['x.blind', 'x.beyondBlind'].map((id) => [id, null, [why]]),
      );
    assert.deepEqual(metricsOf([], guess(0)), []);
    const [one] = metricsOf(pairsOf(100, 100, 100), seeing(0.9), 50);
    assert.deepEqual(
      [one.value, one.n, codes(one.note)],
      [null, 0, ['benchmark.tooFewForBlind', 'benchmark.partOfImages']],
    );
    const all = metricsOf(pairsOf(100, 100), seeing(0.9));
    assert.deepEqual(
      [of(all, 'blind').value, of(all, 'beyondBlind').value, of(all, 'beyondBlind').n],
      [1, null, 0],
    );
  });

  it('keeps a part of the images of a large file, in any order of its rows, and says so', () => {
    const many = pairsOf(1000, 700, 2);
    const small = metricsOf(many, seeing(0.9), 300);
    const { n, images } = of(small, 'blind');
    assert.ok(n > 100 && n <= 300 && images === n / 2, `${n} choices of ${images} images`);
    for (const { note } of small) assert.ok(codes(note).includes('benchmark.partOfImages'));
    const [choices, share] = findSaid(of(small, 'blind').note, 'benchmark.partOfImages')!.values;
    assert.equal(choices, String(n));
    assert.match(english(share), /^[48]$/);
    const reversed = metricsOf(many.toReversed(), seeing(0.9), 300);
    assert.deepEqual(
      reversed.map(({ id, value, n: own }) => [id, value, own]),
      small.map(({ id, value, n: own }) => [id, value, own]),
    );
  });
});

describe('the verdict beside models without the image', () => {
  const verdicts = (pairs: readonly Pair[], evaluator: Evaluator): string[] => {
    const summary = sugarcrepe.summary({ dataset: 'x', seed: 42, options: {}, scores: ['image-text'] });
    for (const [row, pair] of pairs.entries()) {
      const [caption, negative] = evaluator(pair);
      const image = { caption, negative, right: caption > negative, tie: caption === negative };
      summary.add({
        ...{ example: pair.example, row, image: pair.image, i2t: image },
        caption: pair.captions[0],
        negative: pair.captions[1],
      });
    }
    return sugarcrepe.claims(atOnce(summary.finish()).metrics).map(({ text }) => codes(text)[0]);
  };

  it('says which is right more often, if the paired test decides', () => {
    const pairs = pairsOf(200, 136);
    assert.deepEqual(verdicts(pairs, seeing(0.95)), ['sugarcrepe.aboveChance', 'benchmark.beyondBlindClaim']);
    assert.deepEqual(verdicts(pairs, longer), ['sugarcrepe.belowChance', 'benchmark.belowBlindClaim']);
    assert.deepEqual(verdicts(pairs, shorter), ['sugarcrepe.aboveChance']);
    assert.deepEqual(verdicts(pairs, seeing(0.7)), ['sugarcrepe.aboveChance']);
  });

  it('is absent below 20 images and without a baseline above chance', () => {
    assert.deepEqual(verdicts(pairsOf(19, 13), seeing(1)), []);
    assert.deepEqual(verdicts(pairsOf(200, 100), seeing(0.95)), ['sugarcrepe.aboveChance']);
    assert.deepEqual(claimsBesideBlind([], 'x', 0.5, { above: '', across: '', below: '' }), []);
  });
});
