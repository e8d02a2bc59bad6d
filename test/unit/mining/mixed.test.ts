import { say, type Words } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Example } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { summaryOfMined } from '../../../src/mining/distances';
import { type Change, changes, kindOf } from '../../../src/mining/negatives/kinds';
import { lint } from '../../../src/mining/lint';
import { mineByRules } from '../../../src/mining/rules';
import { otherPlaces } from '../../../src/mining/negatives/places';
import { tag } from '../../../src/perturb/text/tagger';
import { needSharedData } from '../dataset/support';

const coco = join('..', 'shared', 'data', 'coco', 'captions.json');

describe('kinds of mined negatives', () => {
  it('are mixed, and few of them are plain negations', async function () {
    needSharedData(this);
    const counts = new Map<string, number>();
    let all = 0;
    const examples = (await openDataset(coco)).read({});
    for await (const { caption, positives, negatives } of mineByRules(
      examples,
      42,
      'English',
      () => undefined,
    )) {
      if (positives.length === 0 || negatives.length === 0) continue;
      const kind = kindOf(caption, negatives[0]);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      all++;
    }
    assert.ok(all > 100);
    assert.ok((counts.get('denial') ?? 0) <= 0.1 * all, JSON.stringify([...counts]));
    for (const kind of ['place', 'activity', 'number', 'thing', 'color'] satisfies Change[])
      assert.ok((counts.get(kind) ?? 0) > 0.02 * all, kind);
    assert.ok(Math.max(...counts.values()) < 0.6 * all);
  });

  it('are found by the texts, whoever wrote them', () => {
    for (const [caption, text, from, kind] of [
      ['A dog sleeping on a bed.', 'A dog not sleeping on a bed.', 'model, checked', 'denial'],
      ['A man with a hat.', 'A man without a hat.', 'given', 'denial'],
      ['There is a dog.', 'There is no dog.', 'model, checked', 'denial'],
      ['A dog.', 'No cat is on a bed.', 'model, checked', 'written'],
      ['A man drives a car.', 'A man drives a bus.', 'given', 'given'],
      ['A man drives a car.', 'A man drives a bus.', 'car → bus', 'thing'],
      ['A cat in a box.', 'A cat next to a box.', 'place', 'place'],
      ['The cat is in the box.', 'The cat is outside the box.', 'false of a.jpg', 'place'],
      ['Two dogs.', 'Three dogs.', 'number', 'number'],
    ] as const)
      assert.equal(kindOf(caption, { text, from }), kind, text);
    assert.ok(changes.includes('denial'));
  });

  it('leave the annotator without a plain negation, except for one item in ten', async () => {
    const reasons: Words[] = [];
    let [items, kept] = [0, 0];
    for await (const { negatives } of mineByRules(denials(200), 42, 'English', (reason) =>
      reasons.push(reason),
    ))
      [items, kept] = [items + 1, kept + (negatives.length > 0 ? 1 : 0)];
    assert.equal(items, 200);
    assert.deepEqual(reasons, Array(200 - kept).fill(say('mining.plainNegation')));
    assert.ok(kept > 5 && kept < 40, `${kept}`);
  });

  it('move a thing beside its place only if nothing else says where it is', () => {
    const places = (caption: string) => otherPlaces(caption, tag(caption)!).map(({ text }) => text);
    assert.deepEqual(places('A cat on a bed.'), ['A cat next to a bed.']);
    assert.deepEqual(places('A dog sitting in a chair.'), ['A dog sitting next to a chair.']);
    assert.deepEqual(places('A sandwich on top of a plate.'), ['A sandwich next to a plate.']);
    for (const caption of [
      'A man riding on a motorcycle.',
      'A cat on his bed.',
      'A picture on a wall.',
      'A cat on a bed near a dog.',
      'A pillow on a bed in a room with a bed.',
      'A cat on a pile of towels on a couch and a chair.',
    ])
      assert.deepEqual(places(caption), [], caption);
  });
});

describe('distances of mined triplets', () => {
  const half = (second: string, negative: string) => ({
    id: '1',
    caption: 'A dog on a bed.',
    positives: [{ text: second, from: 'x' }],
    negatives: [{ text: negative, from: 'thing' }],
  });

  it('are means over complete triplets, and count those whose nearest pair is not P1 and N', async () => {
    const { kinds, characters, words, notNearest } = await summaryOfMined([
      half('On a bed there is a dog.', 'A cat on a bed.'),
      half('A dog on one bed.', 'A large grey cat that sleeps on a bed.'),
      { ...half('', ''), negatives: [] },
    ]);
    assert.deepEqual(kinds, { thing: 2 });
    assert.equal(words?.p1n, (1 + 5) / 2);
    assert.equal(notNearest, 1);
    assert.ok(characters !== undefined && characters.p1n <= characters.p2n);
  });

  it('are a hint for the annotator if the negative is the more different text', () => {
    const hints = (second: string, negative: string) =>
      lint({ caption: 'A dog on a bed.', second, negative })
        .filter(({ guideline }) => guideline === 'distance')
        .map((finding) => finding.in);
    assert.deepEqual(hints('On a bed there is a dog.', 'A cat on a bed.'), []);
    assert.deepEqual(hints('A dog on one bed.', 'A grey cat sleeping on a bed.'), ['negative']);
    assert.deepEqual(hints('', 'A grey cat sleeping on a bed.'), []);
  });
});

async function* denials(count: number): AsyncGenerator<Example> {
  await Promise.resolve();
  for (let row = 0; row < count; row++)
    yield {
      id: String(row),
      form: 'captions',
      row,
      images: [{ name: `${row}.jpg` }],
      attributes: {},
      captions: [
        { text: 'Wooden spoons are lined up on a table.', role: 'caption', image: 0, field: 'caption' },
      ],
    };
}
