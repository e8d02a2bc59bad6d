import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import type { Example } from '../../../../src/dataset/example';
import { otherActivities } from '../../../../src/mining/negatives/activities';
import { negativesByRules } from '../../../../src/mining/negatives/negatives';
import { isPossible, isUnmarkedPlural } from '../../../../src/mining/negatives/possible';
import { openDataset } from '../../../../src/dataset/open';
import { mine } from '../../../../src/mining/mine';
import { mineByRules } from '../../../../src/mining/rules';
import { tag } from '../../../../src/perturb/text/tagger';
import { areInOneScene, fillsSlots, shownWith, slotsOf } from '../../../../src/perturb/words/slots';

describe('negatives by rules', () => {
  it('replace a noun only by one that captions use there, and that is rarely in the same image', () => {
    for (const [caption, noun, good, bad] of [
      ['A man riding a horse on a beach.', 'horse', ['elephant'], ['pig', 'goat']],
      ['A woman holding an umbrella in the rain.', 'umbrella', ['bag'], ['earring', 'necklace']],
      ['A man driving a car down a road.', 'car', ['bus'], ['pig', 'horse']],
    ] as const) {
      const tokens = tag(caption)!;
      const slots = slotsOf(
        tokens,
        tokens.findIndex(({ lower }) => lower === noun),
      );
      for (const word of good) assert.ok(fillsSlots(word, slots), `${caption} ${word}`);
      for (const word of bad) assert.ok(!fillsSlots(word, slots), `${caption} ${word}`);
    }
    assert.ok(shownWith('coat', 'suit') > 0.1);
    assert.ok(shownWith('sink', 'toilet') > 0.3);
    assert.ok(!areInOneScene('snowboard', 'bathroom'));
    assert.ok(areInOneScene('surfboard', 'wave'));
    // Waves are typical of surfboards. Captions of one image rarely contain both a wave and a snowboard.
    assert.ok(!areInOneScene('snowboard', 'wave'));
    assert.ok(!areInOneScene('classroom', 'toilet'));
  });

  it('replace a noun only with a possible thing', () => {
    for (const [caption, noun, good, bad] of [
      ['A man is sitting on a stool in a room.', 'stool', ['bench'], ['shelf', 'lamp']],
      ['People sitting at a table.', 'table', ['desk'], ['bench', 'couch']],
      ['A bowl of soup on a table.', 'soup', ['pasta'], ['noodle', 'pizza']],
      ['A plate with pizza on a table.', 'pizza', ['pasta'], ['sandwich']],
      ['A cat on top of a refrigerator.', 'cat', ['dog'], ['sheep', 'cow']],
      ['A zebra with a long mane.', 'zebra', ['horse'], ['dog', 'elephant']],
      ['A white dog in a field.', 'dog', ['cat'], ['zebra']],
      ['A train on the tracks near a city.', 'train', [], ['bus', 'scooter']],
      ['A bus on the road.', 'bus', ['truck'], ['train']],
      ['A child sits on a bench at a playground.', 'bench', ['chair'], ['bed', 'couch']],
      ['People step into a bus.', 'bus', ['train'], ['motorcycle']],
      ['A man riding a skateboard.', 'skateboard', ['surfboard'], ['racket', 'ball']],
    ] as const) {
      const tokens = tag(caption)!;
      const at = tokens.findIndex(({ lower }) => lower === noun);
      for (const word of good) assert.ok(isPossible(tokens, at, word), `${caption} ${word}`);
      for (const word of bad) assert.ok(!isPossible(tokens, at, word), `${caption} ${word}`);
    }
    for (const [caption, at, unmarked] of [
      ['Two giraffe near a tree.', 1, true],
      ['Sheep are grazing on a hill.', 0, true],
      ['A sheep on a hill.', 1, false],
      ['A herd of elephant near a tree.', 3, true],
    ] as const)
      assert.equal(isUnmarkedPlural(tag(caption)!, at), unmarked, caption);
  });

  it('replace an activity by another one that excludes it', () => {
    const made = (caption: string) => {
      const found = new Set<string>();
      for (let seed = 0; seed < 20; seed++)
        for (const { text } of otherActivities(
          caption,
          tag(caption)!,
          (purpose) => new Random(seed, purpose),
        ))
          found.add(text);
      return found;
    };
    assert.ok(made('A cat sitting on a bed.').size > 0);
    for (const text of made('A cat sitting on a bed.'))
      assert.match(text, /^A cat (standing|lying|laying|sleeping|walking) on a bed\.$/);
    for (const caption of [
      'A stuffed bear sitting on a bed.',
      'A man sitting on a bench holding a dog.',
      'A sign standing on a street.',
    ])
      assert.deepEqual([...made(caption)], [], caption);
  });

  it('flip a relation only where the new one is plausible and false', () => {
    const relations = (caption: string) =>
      negativesByRules(caption, tag(caption), (purpose) => new Random(7, purpose))
        .filter(({ from }) => from === 'beyond: relation')
        .map(({ text }) => text);
    assert.deepEqual(relations('A man in front of a building.'), ['A man behind a building.']);
    assert.deepEqual(relations('A man in front of a laptop.'), []);
    assert.ok(relations('A banana near a cup.').length > 0);
    assert.deepEqual(relations('A close up of a banana near a cup.'), []);
    assert.deepEqual(relations('A bird perched outside a door.'), []);
  });

  it('offer no negative whose new word another caption of the image has', async () => {
    const of = async (...texts: string[]) => {
      const image: Example = {
        id: '7',
        form: 'captions',
        row: 0,
        images: [{ name: 'a.jpg' }],
        attributes: {},
        captions: texts.map((text) => ({ text, role: 'caption', image: 0, field: 'caption' })),
      };
      const out = [];
      for await (const { negatives } of mineByRules(stream(image), 7, undefined, () => undefined))
        out.push(...negatives.map(({ text }) => text));
      return out;
    };
    const alone = await of('Two dogs on a beach next to a red boat.');
    assert.ok(alone.some((text) => /Five|Three|Four|One/.test(text)));
    const said = await of(
      'Two dogs on a beach next to a red boat.',
      'One dog, three dogs, four and five dogs.',
    );
    assert.ok(said.length > 0);
    assert.ok(said.every((text) => !/^(Three|Four|Five|One)/.test(text)));
  });

  it('nor a caption of the image in another entry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-negatives-'));
    try {
      const path = join(folder, 'rows.jsonl');
      const rows = [
        ['a.jpg', 'Two dogs on a beach next to a red boat.'],
        ['b.jpg', 'Two dogs on a beach next to a red boat.'],
        ['a.jpg', 'One dog, three dogs, four and five dogs.'],
      ].map(([image, caption]) => JSON.stringify({ image, caption }));
      await writeFile(path, rows.join('\n'));
      const { halves } = await mine(await openDataset(path), 'rules', { seed: 7 });
      const numbers = halves.map(({ negatives }) =>
        negatives.some(({ text }) => /^(Three|Four|Five|One)/.test(text)),
      );
      assert.deepEqual(numbers.slice(0, 2), [false, true]);
      assert.ok(halves[0].negatives.length > 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function* stream(...examples: Example[]): AsyncGenerator<Example> {
  await Promise.resolve();
  yield* examples;
}
