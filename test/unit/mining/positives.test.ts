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
