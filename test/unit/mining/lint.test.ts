import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { type Guideline, lint } from '../../../src/mining/lint';
import { say } from '../../../src/base/say';

function found(caption: string, second: string, negative: string): string[] {
  return lint({ caption, second, negative }).map(({ guideline, in: field }) => `${guideline} ${field}`);
}

describe('the guidelines as hints', () => {
  it('report nothing in triplets that follow them', () => {
    const good: [string, string, string][] = [
      [
        'The backpack is under the cat.',
        'The cat is on top of the backpack.',
        'The backpack is on top of the cat.',
      ],
      ['The pizza is inside the oven.', 'The oven contains the pizza.', 'The pizza is outside the oven.'],
      [
        'A cat has its front paws on a toilet seat.',
        "The cat's front paws are on the toilet seat.",
        'A cat has its front paws off a toilet seat.',
      ],
      [
        'Two barefoot women holding game controllers in each hand.',
        'Two barefoot women hold game controllers with each hand.',
        'Two barefoot women holding game controllers in one hand.',
      ],
      [
        'The person is touching the sheep.',
        'The sheep is touching the person.',
        'The person is not touching the sheep.',
      ],
    ];
    for (const texts of good) assert.deepEqual(found(...texts), [], texts[0]);
  });

  it('name a gendered pronoun, but no word that only contains one', () => {
    assert.deepEqual(found('A dog by a person.', 'A dog beside him.', 'A dog far from a person.'), [
      'gender second',
    ]);
    assert.deepEqual(
      found('The other sheep.', 'The sheep there.', 'The black sheep.').includes('gender second'),
      false,
    );
  });

  it('name every pronoun once', () => {
    const [one] = lint({ caption: 'She holds her bag and her hat.', second: '', negative: '' });
    assert.deepEqual(one.message, say('mining.genderStatedByWords', '"She", "her"'));
  });

  it('name details that are not in the caption', () => {
    const one = lint({
      caption: 'A dog sits on a bench.',
      second: 'A brown dog is sitting on a bench in a park.',
      negative: 'A dog sits under a bench.',
    });
    assert.deepEqual(
      one.map(({ guideline, in: field }) => [guideline, field]),
      [['detail', 'second']],
    );
    assert.match(english(one[0].message), /"park".*"brown"/);
  });

  const slips: [string, RegExp][] = [
    ['A apple on a table.', /"an apple"/],
    ['A dog on the the table.', /repeated/],
    ['The dogs is on the table.', /agree/],
    ['A dog on the table .', /space/],
    ['A dog (brown on the table.', /bracket/],
  ];
  for (const [text, message] of slips)
    it(`name the error in "${text}"`, () => {
      const own = lint({ caption: text, second: '', negative: '' });
      assert.equal(own.length, 1);
      assert.equal(own[0].guideline, 'grammar' satisfies Guideline);
      assert.match(english(own[0].message), message);
    });

  it('warn if single words tell the negative from the positives', () => {
    const image = (p1: string, p2: string, n: string) => found(p1, p2, n).includes('image negative');
    assert.ok(image('The cat is on the bed.', 'The bed is under the cat.', 'The cat is above the bed.'));
    assert.ok(!image('The cat is on the bed.', 'The bed is under the cat.', 'The bed is on the cat.'));
    assert.ok(image('A dog runs on a beach.', 'On a beach a dog runs.', 'A wet dog runs on a beach.'));
    assert.ok(image('A wet dog runs on a beach.', 'On a beach a wet dog runs.', 'A dog runs on a beach.'));
    assert.ok(!image('A dog runs on a beach.', 'On a beach a dog runs.', 'A dog is not running on a beach.'));
    assert.ok(!image('A dog bites a man.', 'A man is bitten by a dog.', 'A man bites a dog.'));
  });
});
