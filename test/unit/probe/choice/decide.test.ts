import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Random } from '../../../../src/base/random';
import { chancesOf } from '../../../../src/probe/choice/chance';
import { leadsOf, matchSize } from '../../../../src/probe/choice/decide';
import type { ChoiceRow } from '../../../../src/probe/choice/row';
import { choiceRows } from '../../../../src/probe/choice/view';
import { say } from '../../../../src/base/say';

describe('decisions by a matrix of scores', () => {
  it('are right for two images and two captions, computed by hand', () => {
    // Only image 0 finds its caption (0.5 > 0.4, but 0.3 < 0.35). Only caption 0 finds its image.
    const leads = leadsOf({
      scores: [
        [0.5, 0.4],
        [0.35, 0.3],
      ],
      rightOf: [0, 1],
    });
    const near = (value: number | undefined, expected: number) => {
      assert.ok(Math.abs(value! - expected) < 1e-12, `${value} ${expected}`);
    };
    near(leads.captions[0], 0.1);
    near(leads.captions[1], -0.05);
    near(leads.images[0], 0.15);
    near(leads.images[1], -0.1);
    near(leads.text, -0.05);
    near(leads.image, -0.1);
    near(leads.group, -0.1);
    // 0.5 + 0.3 exceeds 0.4 + 0.35, so the right assignment wins, although neither direction is right.
    near(leads.match, 0.05);
    near(leads.pairs[0], 0.1);
    near(leads.pairs[1], -0.05);
  });

  it('compare the best right caption with the best wrong one, for one image and four captions', () => {
    const leads = leadsOf({ scores: [[0.1, 0.4, 0.3, 0.2]], rightOf: [-1, 0, -1, -1] });
    assert.deepEqual(
      [leads.captions[0]! > 0, leads.images, leads.image, leads.group, leads.match],
      [true, [undefined, undefined, undefined, undefined], undefined, undefined, undefined],
    );
    assert.equal(leads.pairs.length, 3);
  });

  it('need one of two right captions for k-way accuracy, but both for the text score', () => {
    const leads = leadsOf({ scores: [[0.9, 0.2, 0.5]], rightOf: [0, 0, -1] });
    assert.ok(leads.captions[0]! > 0);
    assert.ok(leads.text! < 0);
  });

  it('compare two images for one caption', () => {
    const leads = leadsOf({ scores: [[0.2], [0.1]], rightOf: [0] });
    assert.deepEqual(
      [leads.images[0]! > 0, leads.captions, leads.text],
      [true, [undefined, undefined], undefined],
    );
  });

  it('do not count a tie as right', () => {
    const leads = leadsOf({
      scores: [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      rightOf: [0, 1],
    });
    assert.deepEqual([leads.text, leads.image, leads.group, leads.match], [0, 0, 0, 0]);
  });

  it('always match if the group is right', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.array(score, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
        (scores) => {
          const { group, match } = leadsOf({ scores, rightOf: [0, 1, 2] });
          assert.ok(!(group! > 1e-9) || match! > 0);
        },
      ),
    );
  });

  it('include GroupMatch if each image has its own caption and assignments are few', () => {
    assert.equal(matchSize(2, [0, 1]), 2);
    assert.equal(matchSize(3, [0, 1, 2]), 6);
    assert.equal(matchSize(2, [0, 1, -1]), 6);
    assert.equal(matchSize(1, [0, -1]), undefined);
    assert.equal(matchSize(2, [0, 0]), undefined);
    assert.equal(matchSize(8, [0, 1, 2, 3, 4, 5, 6, 7]), undefined);
  });
});

describe('chance levels', () => {
  it('are the published ones', () => {
    const winoground = chancesOf(2, [0, 1]);
    assert.deepEqual([winoground.text, winoground.image, winoground.match], [1 / 4, 1 / 4, 1 / 2]);
    assert.ok(Math.abs(winoground.group! - 1 / 6) < 1e-12);
    assert.equal(chancesOf(1, [-1, 0, -1, -1]).accuracy, 1 / 4);
    // In SugarCrepe++, both right captions must score above the wrong one.
    assert.ok(Math.abs(chancesOf(1, [0, 0, -1]).text! - 1 / 3) < 1e-12);
    // For k images and k captions, the chance level of `group` is (k − 1)! / (2k − 1)!; that of `match` is 1 / k!.
    assert.ok(Math.abs(chancesOf(3, [0, 1, 2]).group! - 2 / 120) < 1e-12);
    assert.ok(Math.abs(chancesOf(3, [0, 1, 2]).match! - 1 / 6) < 1e-12);
  });

  const shapes: [images: number, rightOf: number[]][] = [
    [1, [0, -1]],
    [1, [0, -1, -1, -1]],
    [1, [0, 0, -1]],
    [2, [0, 1]],
    [2, [0]],
    [2, [0, 1, -1]],
    [2, [0, 0, 1]],
    [3, [0, 1, 2]],
    [3, [0, 1]],
    [2, [0, 1, -1, -1]],
  ];
  for (const [images, rightOf] of shapes)
    it(`agree with 100,000 draws for ${images} images with captions of ${rightOf.join(', ')}`, () => {
      const random = new Random(7, 'choice', images, rightOf.join());
      const chances = chancesOf(images, rightOf);
      const draws = 100_000;
      const counts: Record<string, number> = {};
      const add = (name: string, lead: number | undefined, share = 1) => {
        if (lead !== undefined && lead > 0) counts[name] = (counts[name] ?? 0) + share;
      };
      for (let i = 0; i < draws; i++) {
        const scores = Array.from({ length: images }, () => rightOf.map(() => random.uniform()));
        const leads = leadsOf({ scores, rightOf });
        const asked = leads.captions.filter((lead) => lead !== undefined);
        for (const lead of asked) add('accuracy', lead, 1 / asked.length);
        const found = leads.images.filter((lead) => lead !== undefined);
        for (const lead of found) add('imageAccuracy', lead, 1 / found.length);
        for (const name of ['text', 'image', 'group', 'match'] as const) add(name, leads[name]);
      }
      for (const [name, chance] of Object.entries(chances)) {
        const observed = (counts[name] ?? 0) / draws;
        // Random draws differ by more than five standard errors less than once in a million comparisons.
        const error = 5 * Math.sqrt((chance * (1 - chance)) / draws);
        assert.ok(Math.abs(observed - chance) < error, `${name}: ${observed} instead of ${chance}`);
      }
      assert.deepEqual(
        Object.keys(counts).filter((name) => !(name in chances)),
        [],
      );
    });
});

describe('the hint of a choice', () => {
  it('says right, wrong or tie', () => {
    const hint = (wrong: number) => {
      const row: ChoiceRow = {
        ...{ example: '1', row: 0, captions: ['a cat', 'a dog'], images: ['cat.jpg'], rightOf: [0, -1] },
        scores: [[0.5, wrong]],
      };
      return choiceRows.mark!(row).words;
    };
    assert.deepEqual([0.4, 0.5, 0.625].map(hint), [
      say('choice.rightBy', '0.100'),
      say('choice.tie'),
      say('choice.wrongBy', '0.125'),
    ]);
  });

  it('stands at the right caption, also if it is not the first', () => {
    const row: ChoiceRow = {
      ...{ example: '1', row: 0, captions: ['a', 'b', 'c'], images: ['b.jpg'], rightOf: [-1, 0, -1] },
      scores: [[0.4, 0.5, 0.3]],
    };
    assert.deepEqual(choiceRows.mark(row).texts, ['b', 'a', 'c']);
  });
});
