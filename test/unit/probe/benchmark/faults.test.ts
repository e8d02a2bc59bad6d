import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { atOnce } from '../../../../src/base/turns/steps';
import { checkItems } from '../../../../src/probe/benchmark/benchmark';
import { Corpus } from '../../../../src/probe/benchmark/blind/corpus';
import { type Fault, faultMetrics } from '../../../../src/probe/benchmark/faultNames';
import { type Item, seenOf } from '../../../../src/probe/benchmark/items';
import type { Known } from '../../../../src/probe/benchmark/known';
import { similarItems } from '../../../../src/probe/benchmark/similar';
import { metricOf } from '../../../../src/probe/metric';

function item(image: string, captions: string[], right = 0): Item {
  return {
    ...{ example: image, row: 0, image, observation: image, seen: image, imageKey: image },
    ...{ captions, right, isList: true, tags: {} },
  };
}

/** The items with a fault, and the metric that counts them. */
function faulty(fault: Fault, items: readonly Item[], known: Known = {}) {
  const { metrics, rows } = atOnce(checkItems(items, 42, known));
  const found = [...rows].flatMap(({ faults = [] }, i) => (faults.includes(fault) ? [i] : []));
  const metric = metricOf(metrics, faultMetrics[fault]);
  assert.equal(metric?.value ?? 0, found.length);
  return metric === undefined ? undefined : found;
}

describe('faults of items', () => {
  it('are duplicates: the same image, captions and answer', () => {
    const items = [
      item('a', ['x y', 'z']),
      item('a', ['z', 'x y'], 1),
      item('b', ['x y', 'z']),
      item('a', ['x y', 'z'], 1),
      item('a', ['x y', 'w']),
    ];
    assert.deepEqual(faulty('duplicate', items), [1]);
  });

  it('are contradictions: a caption that is right and wrong for one image', () => {
    const items = [
      item('a', ['x', 'y']),
      item('a', ['z', 'x']),
      item('b', ['y', 'x']),
      item('c', ['u', 'v']),
    ];
    assert.deepEqual(faulty('contradiction', items), [0, 1]);
  });

  it('are contradictions and duplicates also between two names of one image', () => {
    const items = [
      item('a', ['x', 'y']),
      item('b', ['y', 'x']),
      item('b', ['x', 'y']),
      item('c', ['y', 'x']),
    ];
    const known: Known = {
      alike: new Map([
        ['b', { kind: 'same', imageKey: 'a' }],
        ['c', { kind: 'similar', imageKey: 'a' }],
      ]),
    };
    const own = items.map((one) => ({ ...one, seen: seenOf(one.image!) }));
    assert.deepEqual(faulty('contradiction', own, known), [0, 1, 2]);
    assert.deepEqual(faulty('duplicate', own, known), [2]);
    assert.deepEqual(faulty('duplicate', own), []);
    assert.deepEqual(faulty('sameImage', own, known), [1, 2]);
    assert.deepEqual(faulty('similarImage', own, known), [3]);
  });

  it('are no contradictions for different parts of an image', () => {
    const parts = [item('a', ['x', 'y']), item('a', ['y', 'x'])].map((own, i) => ({
      ...own,
      seen: `a ${i}`,
    }));
    assert.deepEqual(faulty('contradiction', parts), []);
  });

  it('are wrong captions that equal the right one, without case and punctuation', () => {
    const items = [
      item('a', ['A dog.', 'a dog']),
      item('b', ['dog a', 'a dog']),
      item('c', ['…', '!']),
      item('d', ['u', 'v', 'V'], 2),
    ];
    assert.deepEqual(faulty('equal', items), [0, 3]);
  });

  it('are captions that CLIP surely truncates', () => {
    const words = (n: number): string => Array.from({ length: n }, () => 'ab').join(' ');
    assert.deepEqual(faulty('long', [item('a', [words(75), 'x']), item('b', ['x', words(76)])]), [1]);
    assert.deepEqual(
      faulty('long', [item('a', ['1'.repeat(76), 'x']), item('b', ['1'.repeat(75), 'x'])]),
      [0],
    );
  });

  it('are captions that SigLIP and Long-CLIP surely truncate', () => {
    const words = (n: number): string => Array.from({ length: n }, () => 'ab').join(' ');
    const items = [63, 64, 246, 247].map((n) => item(`${n}`, [words(n), 'x']));
    assert.deepEqual(faulty('longForSiglip', items), [1, 2, 3]);
    assert.deepEqual(faulty('longForLongClip', items), [3]);
    // SigLIP ignores signs.
    assert.deepEqual(faulty('longForSiglip', [item('a', [words(60).replaceAll(' ', ' - '), 'x'])]), []);
  });

  it('are captions in another language than most', () => {
    const english = [
      item('a', ['a dog on a sofa', 'a cat on a sofa']),
      item('b', ['two cups', 'a table in El Camino']),
      item('c', ['red bus', 'ein Hund und eine Katze']),
      item('d', ['一只狗', 'a dog']),
      item('e', ['1 2', '…']),
    ];
    assert.deepEqual(faulty('otherLanguage', english), [2, 3]);
    const russian = [
      item('a', ['собака на диване', 'кошка на диване']),
      item('b', ['две чашки', 'три чашки']),
      item('c', ['красный автобус', 'a red bus on the street']),
      item('d', ['собака', 'ein Hund und eine Katze']),
    ];
    assert.deepEqual(faulty('otherLanguage', russian), [2, 3]);
    const german = [
      item('a', ['ein Hund auf dem Sofa', 'eine Katze auf dem Sofa']),
      item('b', ['ein Hund und eine Katze', 'zwei Hunde']),
      item('c', ['ein Mann mit einem Hund', 'ein Mann mit einer Katze']),
      item('d', ['eine Frau ist im Park', '一只狗']),
    ];
    assert.deepEqual(faulty('otherLanguage', german), [3]);
  });

  it('are missing images, if images were searched', () => {
    const items = [item('a', ['x', 'y']), item('b', ['x', 'y'])];
    assert.deepEqual(faulty('missingImage', items, { missing: new Set(['b']) }), [1]);
    assert.equal(faulty('missingImage', items), undefined);
  });

  it('are similar items, also about other images, but not other answers', () => {
    const long = 'a man in a red shirt rides a brown horse on the wide beach at noon';
    const wrong = 'a man in a red shirt feeds a brown horse on the wide beach at noon';
    const items = [
      item('a', [long, wrong]),
      item('b', [long, `${wrong} today`]),
      item('c', [wrong, long]),
      item('d', [long, 'two cups on a table']),
    ];
    assert.deepEqual(faulty('similar', items), [1]);
  });
});

describe('the search for similar items', () => {
  it('finds 95 % or more of those with one changed word in twenty, and no other', () => {
    const draws = new Random('similar');
    const text = (n: number): string[] => Array.from({ length: n }, () => `w${draws.below(5000)}`);
    const items: Item[] = [];
    let planted = 0;
    for (let i = 0; i < 500; i++) {
      const [right, wrong] = [text(20), text(20)];
      items.push(item(`${i}`, [right.join(' '), wrong.join(' ')]));
      if (i % 2 === 0) continue;
      planted++;
      const changed = right.with(draws.below(20), 'changed');
      items.push(item(`${i} again`, [changed.join(' '), wrong.join(' ')]));
    }
    const found = atOnce(similarItems(new Corpus(items, 42)));
    const right = items.filter(({ image }, i) => found[i] === 1 && image!.endsWith('again')).length;
    assert.ok(right >= 0.95 * planted, `${right} of ${planted}`);
    assert.equal(
      found.reduce((sum, own) => sum + own, 0),
      right,
    );
  });
});

describe('the places of right captions', () => {
  it('are shares of lists that have the place', () => {
    const items = [
      item('a', ['x', 'y', 'z'], 2),
      item('b', ['x', 'y', 'z'], 0),
      item('c', ['x', 'y'], 1),
      { ...item('d', ['x', 'y'], 0), isList: false },
    ];
    const { metrics } = atOnce(checkItems(items, 42));
    const places = [1, 2, 3].map((position) => metricOf(metrics, 'benchmark.position', { position })!);
    assert.deepEqual(
      places.map(({ value, n }) => [value, n]),
      [
        [1 / 3, 3],
        [1 / 3, 3],
        [1 / 2, 2],
      ],
    );
    assert.equal(places[2].chance, 1 / 3);
  });
});
