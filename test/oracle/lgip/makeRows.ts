import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drive, example, madeUpScore } from '../../unit/probe/lgip/drive';

/*
 * Writes rows.jsonl into this folder, from real captions with made-up scores, some of which are equal. Afterwards,
 * run "python recompute.py --rows rows.jsonl --out figures.json" in this folder, and the same with --as-in-paper and
 * --out figuresAsInPaper.json.
 */

const captions = [
  'A red truck parked next to two dogs.',
  'a cat sitting on a couch',
  'Three people riding horses on a beach',
  'A man holding an umbrella in the rain.',
  'A kitchen with a stove and a sink',
  'One bird is perched on the mirror of a blue car that is parked beside a tall and very old brick building.',
  'A hill under clouds',
  '   ',
  'two dogs',
  'A yellow bus that is driving down the street behind a white van and four bicycles',
];

const examples = Array.from({ length: 9 }, (_, i) =>
  example(`photo-${i}`, [captions[i], captions[(i + 3) % captions.length]]),
);
// The same image again, as in files with one caption per line.
examples.push(example('again', [captions[9]], { images: [{ name: 'photo-0.jpg' }] }));
const given = example('given', ['a red car']);
given.captions[0].variants = [
  { text: 'a photo of a red car', family: 'paraphrase', kind: '' },
  { text: 'one red automobile', family: 'paraphrase', kind: '' },
  { text: 'a blue car', family: 'flip', kind: '' },
  { text: 'a red fish', family: 'flip', kind: '' },
];
examples.push(given);

const { rows } = drive(examples, {
  // The paper's literal rules, and all kinds of flips that the paper does not have.
  options: {
    asInPaper: true,
    beyondVocabulary: true,
    beyondNegation: true,
    beyondRelation: true,
    beyondMulti: true,
  },
  score: (want) =>
    Math.round(madeUpScore(want) * 8) / 8 + (want.left.kind === 'image' ? 0 : madeUpScore(want) / 9),
});
writeFileSync(join(__dirname, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
