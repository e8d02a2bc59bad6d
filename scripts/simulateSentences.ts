/*
 * Type-I errors and power of tests where images share captions, with known truth: of words whose effect is constant within a
 * caption, of the scores of objects, and of `compare`.
 * npx tsx scripts/simulateSentences.ts [DATASETS] [beta1: only its interval, also with skewed changes]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { Cell } from '../src/probe/invariance/cell';
import type { Share } from '../src/probe/probe';
import { differencesOf } from '../src/report/paired';
import type { RowShares } from '../src/report/shares';
import { bins, categories } from '../src/probe/invariance/row';
import { binOf } from '../src/probe/invariance/objects';
import { betweenGroups } from '../src/probe/invariance/compare/groups';
import { effectTests, type Scored } from '../src/probe/invariance/object/composition';
import { contrastTests, type Group } from '../src/probe/invariance/compare/contrasts';
import { eachNeutralTest } from '../src/probe/invariance/compare/eachNeutral';
import { normalQuantile } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 1000);
const onlyBeta1 = process.argv[3] === 'beta1';
const level = 0.05;
const normal = (random: Random): number => normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));
const exponential = (random: Random): number => -Math.log(1 - random.uniform()) - 1;

/** The intraclass correlation of a word's effect within captions, measured on 40 COCO images with 21 captions. */
const within = 0.93;

interface Setting {
  images: number;
  captions: number;
  /** Whether tests know the captions. */
  known: boolean;
  /** The mean effect of the word over captions, in standard deviations. */
  effect: number;
  /** Whether the word's changes are exponential, both between captions and within them, instead of normal. */
  skewed?: true;
}

/** A neutral word, and two words. The last one has the effect; the neutral word and the other one have none on average. */
function family(random: Random, { images, captions, known, effect, skewed }: Setting): Group[] {
  const noise = skewed ? exponential : normal;
  const groups = ['neutral', 'other', 'word'].map((name) => ({ name, cell: new Cell() }));
  const own = groups.map(() => Array.from({ length: captions }, () => Math.sqrt(within / 2) * noise(random)));
  for (let image = 0; image < images; image++) {
    // Every caption has an image; further images have frequent captions more often, as COCO's objects.
    const caption = image < captions ? image : Math.floor(captions * random.uniform() ** 2);
    const base = 10 + normal(random);
    for (const [g, { cell }] of groups.entries()) {
      const change = own[g][caption] + Math.sqrt((1 - within) / 2) * noise(random) + (g === 2 ? effect : 0);
      const text = known ? { text: String(caption) } : {};
      cell.add({ against: base, score: base + change, image, ...text, reference: `${image}`, category: '' });
    }
  }
  return groups;
}

/** The caption of each image: every caption has an image, and further images have frequent captions more often, as COCO's objects. */
function captionsOf(random: Random, { images, captions }: Setting): number[] {
  return Array.from({ length: images }, (_, image) =>
    image < captions ? image : Math.floor(captions * random.uniform() ** 2),
  );
}

/** The share of the variance of scores of generated captions that comes from the caption. */
const ofCaption = 0.5;

/** Scores of objects of three categories and of sizes that depend on the caption. The effect is that of a category or of a large object. */
function objects(random: Random, setting: Setting, raised: 'category' | 'coverage'): Scored[] {
  const own = Array.from({ length: setting.captions }, () => ({
    effect: Math.sqrt(ofCaption) * normal(random),
    size: 0.5 * normal(random),
  }));
  return captionsOf(random, setting).map((caption, image) => {
    const coverage = 1 / (1 + Math.exp(own[caption].size + 0.5 * normal(random)));
    const kind = caption % 3;
    const isRaised = raised === 'category' ? kind === 2 : coverage > 0.5;
    const score =
      own[caption].effect + Math.sqrt(1 - ofCaption) * normal(random) + (isRaised ? setting.effect : 0);
    const text = setting.known ? { text: String(caption) } : {};
    return { score, coverage, bin: binOf(coverage), category: categories[kind], image, ...text };
  });
}

function objectTests(scored: readonly Scored[], what: 'category' | 'coverage'): (number | null)[] {
  const names = what === 'category' ? categories : bins;
  const groups = names.map((name) => {
    const own = scored.filter((one) => (what === 'category' ? one.category : one.bin) === name);
    const texts = own.flatMap(({ text }) => text ?? []);
    return {
      ...{ name, values: own.map(({ score }) => score), images: own.map(({ image }) => image) },
      ...(texts.length === own.length ? { texts } : {}),
    };
  });
  const adjusted = effectTests(scored).find(({ id }) => id.includes(what))!;
  return [atOnce(betweenGroups('', what, groups))[0].value, adjusted.value];
}

/** The p value of `compare` for two evaluators whose changes by a word differ by caption. */
function compared(random: Random, setting: Setting): number {
  const captions = captionsOf(random, setting);
  const own = Array.from({ length: setting.captions }, () => Math.sqrt(within) * normal(random));
  const sharesOf = (valueOf: (caption: number) => number): RowShares =>
    new Map(
      captions.map((caption, image) => {
        const text = setting.known ? { text: String(caption) } : {};
        const share: Share = { metric: 'm', value: valueOf(caption), better: 'lower', ...text };
        return [String(image), { image: String(image), shares: [share] }];
      }),
    );
  const second = sharesOf((at) => own[at] + Math.sqrt(1 - within) * normal(random) + setting.effect);
  return atOnce(
    differencesOf(
      sharesOf(() => 0),
      second,
    ),
  )[0].pValue;
}

function wordTests(random: Random, setting: Setting): (number | null)[] {
  const groups = family(random, setting);
  const [neutral, other, word] = groups;
  const { between, pairs } = atOnce(contrastTests([other, word]));
  return [
    atOnce(word.cell.test('')).value,
    pairs[0],
    between,
    atOnce(eachNeutralTest('', word.cell, [neutral])).value,
  ];
}

/** 0 if the interval of β1 excludes zero, otherwise 1. */
function beta1Test(random: Random, setting: Setting): number[] {
  const { ci } = atOnce(family(random, setting)[2].cell.beta1(''));
  return [ci !== undefined && ci[0] * ci[1] > 0 ? 0 : 1];
}

function otherTests(random: Random, setting: Setting): (number | null)[] {
  return [
    ...beta1Test(random, setting),
    compared(random, setting),
    ...objectTests(objects(random, setting, 'category'), 'category'),
    ...objectTests(objects(random, setting, 'coverage'), 'coverage'),
  ];
}

type Tests = (random: Random, setting: Setting) => (number | null)[];

function rejected(tests: Tests, setting: Setting): string[] {
  const hits: number[] = [];
  for (let at = 0; at < datasets; at++) {
    const p = tests(new Random(at, JSON.stringify({ ...setting, known: true })), setting);
    for (const [i, value] of p.entries()) hits[i] = (hits[i] ?? 0) + ((value ?? 1) < level ? 1 : 0);
  }
  return hits.map((count) => (count / datasets).toFixed(3));
}

if (onlyBeta1) {
  process.stdout.write(
    '| images | captions | changes | Type I | power |\n| ---: | ---: | --- | ---: | ---: |\n',
  );
  for (const [images, captions] of [
    [40, 21],
    [60, 21],
    [100, 21],
    [100, 40],
    [400, 60],
  ])
    for (const skewed of [undefined, true] as const) {
      const rates = [0, 0.8].flatMap((effect) =>
        rejected(beta1Test, { images, captions, known: true, effect, skewed }),
      );
      process.stdout.write(`| ${[images, captions, skewed ? 'skewed' : 'normal', ...rates].join(' | ')} |\n`);
    }
  process.exit();
}

const settings = ['images', 'captions', 'effect', 'one observation per'];
const tables: [Tests, string[]][] = [
  [wordTests, ['against the caption without it', 'two words', 'Skillings–Mack', 'against a neutral word']],
  [otherTests, ['β1', 'compare', 'category', 'category, adjusted', 'coverage', 'coverage, adjusted']],
];
for (const [tests, names] of tables) {
  const heads = [...settings, ...names];
  for (const row of [heads, heads.map((_, i) => (i === 3 ? '---' : '---:'))])
    process.stdout.write(`| ${row.join(' | ')} |\n`);
  for (const [images, captions] of [
    [40, 21],
    [100, 40],
    [400, 60],
  ])
    for (const effect of [0, 0.8])
      for (const known of [false, true]) {
        const cells = rejected(tests, { images, captions, known, effect });
        const what = known ? 'image and caption' : 'image';
        process.stdout.write(`| ${[images, captions, effect, what, ...cells].join(' | ')} |\n`);
      }
}
