import assert from 'node:assert/strict';
import type { Example } from '../../../src/dataset/example';
import { mineByRules, positivesByRules } from '../../../src/mining/rules';
import { tag } from '../../../src/perturb/text/tagger';

describe('second positives by rules', () => {
  const by = (caption: string, rule: string): string | undefined =>
    positivesByRules(caption, tag(caption)).find(({ from }) => from.includes(rule))?.text;

  it('split a caption into two clauses about the same subject', () => {
    for (const [caption, rule, text] of [
      ['A man stands next to a bus.', 'two clauses', 'There is a man, and this man stands beside a bus.'],
      [
        'A man on a skateboard performing a trick.',
        'described, split',
        'There is a man on a skateboard, and this man is performing a trick.',
      ],
      [
        'A group of men riding horses.',
        'what they do',
        'There is a group of men, and they are riding horses.',
      ],
      [
        'A man and a woman standing on a beach.',
        'what they do',
        'There are a man and a woman, and they are standing on a beach.',
      ],
      [
        'A brown dog with a stick in its mouth.',
        'it has',
        'There is a brown dog, and this dog has a stick in its mouth.',
      ],
      [
        'A surfer riding a wave in the ocean.',
        'scene first, split',
        'In the ocean there is a surfer, and this surfer is riding a wave.',
      ],
      [
        'A woman riding a brown horse.',
        'passive, split',
        'There is a brown horse, and this horse is being ridden by a woman.',
      ],
      [
        'There is a woman holding a donut.',
        'there is, reorder: passive, split',
        'There is a donut, and this donut is being held by a woman.',
      ],
    ] as const)
      assert.equal(by(caption, rule), text, caption);
  });

  it('begin with the object, the place or the background, or end with the adjectives', () => {
    for (const [caption, rule, text] of [
      [
        'A truck is towing a bus on a busy street.',
        'object first',
        'There is a bus that a truck is towing on a busy street.',
      ],
      [
        'A dog sleeping on a bed.',
        'place first, split',
        'On a bed there is a dog, and this dog is sleeping.',
      ],
      [
        'A man on a surfboard riding a wave.',
        'described place first',
        'On a surfboard there is a man, and this man is riding a wave.',
      ],
      [
        'Two hot dogs with mustard sit on the plate.',
        'place first, finite',
        'On the plate sit two hot dogs with mustard.',
      ],
      [
        'A boat on a lake with trees in the background.',
        'background first',
        'There are trees in the background, and there is a boat on a lake.',
      ],
      [
        'A large black cat on a table.',
        'adjectives last',
        'There is a cat on a table, and this cat is large and black.',
      ],
      [
        'A vintage photo of some cars parked on a street.',
        'shown in',
        'Some cars parked on a street are shown in a vintage photo.',
      ],
      [
        'A pole that has a clock on it.',
        'relative clause, split',
        'There is a pole, and this pole has a clock on it.',
      ],
    ] as const)
      assert.equal(by(caption, rule), text, caption);
  });

  it('leave out a rule where the sentence would say something else', () => {
    for (const [caption, rule] of [
      ['A woman watching a man in a suit.', 'object first'],
      ['A man taking a bath in a tub.', 'object first'],
      ['Two dogs chasing each other in a park.', 'object first'],
      ['A parking meter sitting behind a truck.', 'place first, split'],
      ['A man working on a laptop.', 'place first, split'],
      ['A cat sitting next to another cat.', 'place first'],
      ['A man cutting into a pizza.', 'place first'],
      ['A large group of people on a beach.', 'adjectives last'],
      ['A red bus next to a blue bus.', 'adjectives last'],
      ['A small town street with cars.', 'adjectives last'],
      ['A photo of a man and a dog playing.', 'shown in'],
    ] as const)
      assert.equal(by(caption, rule), undefined, caption);
  });

  it('do not split a caption if the second clause could be about something else', () => {
    for (const [caption, rule] of [
      ['A man in a truck pulling a trailer.', 'described, split'],
      ['A woman with a dog chasing a ball.', 'described, split'],
      ['A man with a hat riding a horse.', 'it has'],
      ['A man with a dog.', 'it has'],
      ['A group of men riding horses while wearing hats.', 'what they do'],
      ['The man stands next to a bus.', 'two clauses'],
    ] as const)
      assert.equal(by(caption, rule), undefined, caption);
  });

  it('come from the caption with the best candidates of each image', async () => {
    const example: Example = {
      id: '1',
      form: 'captions',
      row: 0,
      images: [{ name: 'a.jpg' }],
      captions: ['Two dogs.', 'A small brown dog lying on a red couch.', 'A dog.'].map((text) => ({
        text,
        role: 'caption' as const,
        image: 0,
        field: 'caption',
      })),
      attributes: {},
    };
    for await (const { caption } of mineByRules(stream(example), 1, undefined, () => undefined))
      assert.equal(caption, 'A small brown dog lying on a red couch.');
  });
});

async function* stream(...examples: Example[]): AsyncGenerator<Example> {
  await Promise.resolve();
  yield* examples;
}
