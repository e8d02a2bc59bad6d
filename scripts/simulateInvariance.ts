/*
 * Type-I errors and power of the tests of `invariance` and of verdicts, with known truth:
 * npx tsx scripts/simulateInvariance.ts [DATASETS] [neutral: only the neutral words]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { adjustedTogether, isSupported, verdictLevel } from '../src/probe/claimFamily';
import { Cell } from '../src/probe/invariance/cell';
import { contrastTests, type Group } from '../src/probe/invariance/compare/contrasts';
import { eachNeutralTest } from '../src/probe/invariance/compare/eachNeutral';
import { betweenGroups } from '../src/probe/invariance/compare/groups';
import { normalQuantile } from '../src/stats/normal';
import { kruskalWallis } from '../src/stats/rankTests';
import { isDefined } from '../src/stats/outcome';

const datasets = Number(process.argv[2] ?? 2000);
const onlyNeutral = process.argv[3] === 'neutral';
const level = 0.05;

type Noise = (random: Random) => number;
const normal: Noise = (random) => normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));
const skewed: Noise = (random) => -Math.log(1 - random.uniform()) - 1;

interface Setting {
  images: number;
  captions: number;
  words: number;
  noise: Noise;
  /** The effect of the last word, in standard deviations of the noise. */
  effect: number;
  /** How much an image's captions share of a word's effect: the standard deviation between images. */
  shared: number;
}

/** A family of words (or of transforms) with one baseline per caption. */
function family(random: Random, { images, captions, words, noise, effect, shared }: Setting): Group[] {
  const groups = Array.from({ length: words }, (_, w) => ({ name: String(w), cell: new Cell() }));
  for (let image = 0; image < images; image++) {
    const level = 10 + normal(random);
    const own = groups.map(() => shared * noise(random));
    for (let caption = 0; caption < captions; caption++) {
      const against = level + noise(random);
      for (const [w, { cell }] of groups.entries()) {
        const score = level + own[w] + noise(random) + (w === words - 1 ? effect : 0);
        cell.add({ against, score, image, reference: `${image} ${caption}`, category: String(image % 3) });
      }
    }
  }
  return groups;
}

/** How often each named event happens over the data sets. */
function rates(
  of: (random: Random) => Record<string, boolean | undefined>,
  times = datasets,
  purpose = 'data set',
): Record<string, number> {
  const hits = new Map<string, number>();
  for (let at = 0; at < times; at++)
    for (const [name, hit] of Object.entries(of(new Random(at, purpose))))
      hits.set(name, (hits.get(name) ?? 0) + (hit === true ? 1 : 0));
  return Object.fromEntries([...hits].map(([name, count]) => [name, count / times]));
}

function show(title: string, found: Record<string, number>): void {
  const cells = Object.entries(found).map(([name, rate]) => `${name} ${rate.toFixed(3)}`);
  console.log(`| ${title.padEnd(58)} | ${cells.join(' | ')} |`);
}

const kinds: [string, Omit<Setting, 'effect'>][] = [
  ['7 words, 20 images', { images: 20, captions: 1, words: 7, noise: normal, shared: 0 }],
  ['7 words, 100 images', { images: 100, captions: 1, words: 7, noise: normal, shared: 0 }],
  ['7 words, 100 images, skewed', { images: 100, captions: 1, words: 7, noise: skewed, shared: 0 }],
  [
    '4 angles, 50 images, 5 captions, shared',
    { images: 50, captions: 5, words: 4, noise: normal, shared: 1 },
  ],
];

/** Neutral words of different effects, and words that each equal one of them, as far as `effect` is 0. */
interface NeutralSetting {
  images: number;
  /** Captions per image. A caption lacks each neutral word with a probability of 0.2. */
  captions: number;
  /** The effect of one of the four neutral words, in standard deviations of the noise. */
  apart: number;
  /** The effect of the last word, beside that of its neutral word. */
  effect: number;
  /** Scores are multiples of this step, so that some are equal. 0 for none. */
  step: number;
  noise: Noise;
}

const neutralWords = ['normal', 'ordinary', 'plain', 'typical'];
const lexiconWords = 7;

/** The changes by neutral words (against no word), and by words (against the neutral word that the image has). */
function neutralFamilies(random: Random, { images, captions, apart, effect, step, noise }: NeutralSetting) {
  const made = (names: readonly string[]): Group[] => names.map((name) => ({ name, cell: new Cell() }));
  const neutral = made(neutralWords);
  const words = made(Array.from({ length: lexiconWords }, (_, w) => String(w)));
  const withoutWord = words.map(() => new Cell());
  const rounded = (score: number): number => (step === 0 ? score : step * Math.round(score / step));
  const effectOf = (at: number): number => (at === 0 ? apart : 0);
  for (let image = 0; image < images; image++)
    for (let caption = 0; caption < captions; caption++) {
      const reference = `${image} ${caption}`;
      const base = 10 + normal(random);
      const scoreOf = (own: number): number => rounded(base + own + noise(random));
      const plain = scoreOf(0);
      const there = neutral.map((_, at) => at).filter(() => random.uniform() > 0.2);
      if (there.length === 0) there.push(random.below(neutral.length));
      const scores = new Map(there.map((at) => [at, scoreOf(effectOf(at))]));
      const shared = { image, reference, category: String(image % 3) };
      for (const [at, score] of scores) neutral[at].cell.add({ ...shared, against: plain, score });
      const against = scores.get(random.pick(there))!;
      for (const [w, { cell }] of words.entries()) {
        const score = scoreOf(effectOf(w % neutral.length) + (w === lexiconWords - 1 ? effect : 0));
        cell.add({ ...shared, against, score });
        withoutWord[w].add({ ...shared, against: plain, score });
      }
    }
  return { neutral, words, withoutWord };
}

/** How often the neutral words are said to differ, if they do not. */
function neutralTypeI(setting: NeutralSetting, purpose: string): Record<string, number> {
  return rates(
    (random) => {
      const { between } = atOnce(contrastTests(neutralFamilies(random, setting).neutral));
      return { 'neutral words differ': between !== null && between < level };
    },
    2 * datasets,
    purpose,
  );
}

/** The same, and how often a word gets a verdict: against any neutral word, also unless they differ, and against each. */
function neutralRates(setting: NeutralSetting, purpose: string): Record<string, number> {
  return rates(
    (random) => {
      const { neutral, words, withoutWord } = neutralFamilies(random, setting);
      const { between } = atOnce(contrastTests(neutral));
      const differ = between !== null && between < level;
      const own = words.map(({ cell }) => atOnce(cell.test('')).value ?? 1);
      const each = withoutWord.map((cell) => atOnce(eachNeutralTest('', cell, neutral)).value ?? 1);
      const isFound = (pValues: readonly number[]): boolean =>
        adjustedTogether(
          pValues.map((pValue) => ({ pValue })),
          verdictLevel / 2,
        ).some(isSupported);
      const any = isFound(own);
      return {
        'neutral words differ': differ,
        'any neutral word': any,
        'unless they differ': any && !differ,
        'each neutral word': isFound(own.map((pValue, w) => Math.max(pValue, each[w]))),
      };
    },
    Math.ceil(datasets / 10),
    purpose,
  );
}

console.log('Neutral words among each other, and verdicts on words against them');
for (const [name, rest] of [
  ['1 caption', { captions: 1, step: 0, noise: normal }],
  ['1 caption, 7 scores', { captions: 1, step: 1, noise: normal }],
  ['3 captions', { captions: 3, step: 0, noise: normal }],
] as const)
  for (const images of [20, 50, 200]) {
    const title = `${name}, ${images} images`;
    show(title, neutralTypeI({ ...rest, images, apart: 0, effect: 0 }, title));
    for (const [apart, effect] of [
      [0.4, 0],
      [0.8, 0],
      [0, 0.8],
      [0.8, 1.6],
    ])
      show(
        `${title}, apart ${apart}, effect ${effect}`,
        neutralRates({ ...rest, images, apart, effect }, title),
      );
  }
if (onlyNeutral) process.exit();

console.log('Words against each other on the same images (A8), and against a neutral word (A11)');
for (const [name, kind] of kinds)
  for (const effect of [0, 0.8])
    show(
      `${name}${effect === 0 ? '' : ', one word raised'}`,
      rates((random) => {
        const groups = family(random, { ...kind, effect });
        const { between, pairs } = atOnce(contrastTests(groups));
        const own = groups.map(({ cell }) => ({ pValue: atOnce(cell.test('')).value ?? 1 }));
        const apart = adjustedTogether(
          pairs.map((pValue) => ({ pValue })),
          verdictLevel / 2,
        );
        const alone = adjustedTogether(own, verdictLevel / 2);
        return {
          pair: pairs[pairs.length - 1] < level,
          between: between! < level,
          word: own[own.length - 1].pValue < level,
          verdict: apart.some(isSupported) || alone.some(isSupported),
        };
      }),
    );

console.log('Groups of images with several rows each (A10): Kruskal–Wallis');
for (const effect of [0, 0.8])
  show(
    `3 groups of 20 images, 5 rows per image${effect === 0 ? '' : ', one raised'}`,
    rates((random) => {
      const groups = [0, 1, 2].map((g) => {
        const [values, images]: [number[], number[]] = [[], []];
        for (let image = 0; image < 20; image++) {
          const own = normal(random) + (g === 2 ? effect : 0);
          for (let row = 0; row < 5; row++) {
            values.push(own + 0.5 * normal(random));
            images.push(g * 20 + image);
          }
        }
        return { name: String(g), values, images };
      });
      const naive = kruskalWallis(groups.map(({ values }) => values));
      return {
        'image means': atOnce(betweenGroups('', 'g', groups))[0].value! < level,
        'rows as independent': isDefined(naive) && naive.pValue < level,
      };
    }),
  );

console.log('β1: rejections of the true effect (A10)');
for (const [name, images, captions, shared] of [
  ['20 images, 4 changes, the effect varies', 20, 1, 1],
  ['50 images, 4 changes, the effect varies', 50, 1, 1],
  ['50 images, 4 changes, the same effect', 50, 1, 0],
  ['50 images, 5 captions, 4 changes, the effect varies', 50, 5, 1],
] as const)
  show(
    name,
    rates((random) => {
      const cell = new Cell();
      for (let image = 0; image < images; image++) {
        const base = 10 + normal(random);
        const own = 0.5 + shared * normal(random);
        for (let caption = 0; caption < captions; caption++) {
          const against = base + 0.5 * normal(random);
          for (let change = 0; change < 4; change++)
            cell.add({
              ...{ against, score: base + own + 0.5 * normal(random), image },
              ...{ reference: `${image} ${caption}`, category: String(image % 3) },
            });
        }
      }
      const { ci } = atOnce(cell.beta1(''));
      return {
        excluded: ci !== undefined && (ci[0] > 0.5 || ci[1] < 0.5),
        found: ci !== undefined && ci[0] > 0,
      };
    }, datasets),
  );
