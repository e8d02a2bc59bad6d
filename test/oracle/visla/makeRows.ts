import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random';
import type { Example } from '../../../src/dataset/example';
import type { ImageItem } from '../../../src/protocol/item';
import { visla } from '../../../src/probe/visla/visla';
import { wholePlan } from '../../unit/probe/wholePlan';

/*
 * Writes rows.jsonl into this folder, from triplets with made-up scores, some of which are equal. Afterwards, run
 * "python recompute.py --rows rows.jsonl --out figures.json" in this folder.
 */

const texts: [string, string, string][] = [
  [
    'The backpack is under the cat.',
    'The cat is on top of the backpack.',
    'The backpack is on top of the cat.',
  ],
  ['The pizza is inside the oven.', 'The oven contains the pizza.', 'The pizza is outside the oven.'],
  ['A red bus.', 'There is a bus, and that bus is red as can be, with nothing else in sight.', 'A blue bus.'],
  ['Two dogs – or three – 🐕.', 'Dogs, two or three 🐕.', 'Two cats – or three – 🐈.'],
  ['a', 'b', 'c'],
  ["It's one person's hat.", 'The hat is that of one person.', "It's two persons' hats."],
  ['Same words here.', 'Same words here!', 'Same words there.'],
];

const image: ImageItem = { kind: 'image', source: { name: 'a.jpg', path: '/a.jpg' }, transforms: [] };

const lines: string[] = [];
for (let row = 0; row < 40; row++) {
  const [first, second, negative] = texts[row % texts.length];
  const caption = (text: string, role: 'caption' | 'negative') => ({ text, role, image: 0, field: role });
  const example: Example = {
    id: `${row}`,
    form: 'triplet',
    row,
    images: [{ name: `${row % 23}.jpg` }],
    captions: [caption(first, 'caption'), caption(second, 'caption'), caption(negative, 'negative')],
    attributes: {},
  };
  const context = {
    dataset: 'oracle',
    seed: 42,
    options: {},
    scores: ['text-text', 'image-text'] as const,
    // Every fifth triplet has no image.
    image: () => (row % 5 === 4 ? undefined : image),
  };
  const plan = wholePlan(visla, example, context);
  const random = new Random(1, row);
  const scores = Float64Array.from(plan.wants, (_, i) => random.below(9) / 8 + (i === 0 ? 1 / 4 : 0));
  for (const made of visla.measure(example, plan, scores, context)) lines.push(JSON.stringify(made));
}
writeFileSync(join(__dirname, 'rows.jsonl'), `${lines.join('\n')}\n`);
