/*
 * Type-I errors and power of the tests of words whose effect is constant within a caption, with known truth:
 * npx tsx scripts/simulateSentences.ts [DATASETS]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { Cell } from '../src/probe/invariance/cell';
import { contrastTests, type Group } from '../src/probe/invariance/compare/contrasts';
import { eachNeutralTest } from '../src/probe/invariance/compare/eachNeutral';
import { normalQuantile } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 1000);
const level = 0.05;
const normal = (random: Random): number => normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));

/** The intraclass correlation of a word's effect within captions, measured on 40 COCO images with 21 captions. */
const within = 0.93;

interface Setting {
  images: number;
  captions: number;
  /** Whether tests know the captions. */
  known: boolean;
  /** The mean effect of the word over captions, in standard deviations. */
  effect: number;
}

/** A neutral word, and two words. The last one has the effect; the neutral word and the other one have none on average. */
function family(random: Random, { images, captions, known, effect }: Setting): Group[] {
  const groups = ['neutral', 'other', 'word'].map((name) => ({ name, cell: new Cell() }));
  const own = groups.map(() =>
    Array.from({ length: captions }, () => Math.sqrt(within / 2) * normal(random)),
  );
  for (let photo = 0; photo < images; photo++) {
    // Every caption has an image; further images have frequent captions more often, as COCO's objects.
    const caption = photo < captions ? photo : Math.floor(captions * random.uniform() ** 2);
    const base = 10 + normal(random);
    for (const [g, { cell }] of groups.entries()) {
      const change = own[g][caption] + Math.sqrt((1 - within) / 2) * normal(random) + (g === 2 ? effect : 0);
      const text = known ? { text: String(caption) } : {};
      cell.add({ against: base, score: base + change, photo, ...text, reference: `${photo}`, category: '' });
    }
  }
  return groups;
}

function rejected(setting: Setting): string[] {
  const hits = [0, 0, 0, 0];
  for (let at = 0; at < datasets; at++) {
    const groups = family(new Random(at, JSON.stringify({ ...setting, known: true })), setting);
    const [neutral, other, word] = groups;
    const { between, pairs } = atOnce(contrastTests([other, word]));
    const p = [
      atOnce(word.cell.test('')).value,
      pairs[0],
      between,
      atOnce(eachNeutralTest('', word.cell, [neutral])).value,
    ];
    for (const [i, value] of p.entries()) if ((value ?? 1) < level) hits[i]++;
  }
  return hits.map((count) => (count / datasets).toFixed(3));
}

const heads = [
  ...['images', 'captions', 'effect', 'one observation per', 'against the caption without it', 'two words'],
  ...['Skillings–Mack', 'against a neutral word'],
];
for (const row of [heads, heads.map((_, i) => (i === 3 ? '---' : '---:'))])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
for (const [images, captions] of [
  [40, 21],
  [100, 40],
  [400, 60],
])
  for (const effect of [0, 0.8])
    for (const known of [false, true]) {
      const cells = rejected({ images, captions, known, effect });
      const what = known ? 'image and caption' : 'image';
      process.stdout.write(`| ${[images, captions, effect, what, ...cells].join(' | ')} |\n`);
    }
