/*
 * Type-I errors and power of verdicts that combine several tests: LGIP's margin by image and by replaced word, `human` by
 * kind of pair, flips of images by kind of object, and pairs of words against pairs of neutral words.
 * npx tsx scripts/simulateVerdicts.ts [DATASETS] [PART]
 */
import type { Words } from '../src/base/say';
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { against } from '../src/probe/claim';
import { Figure } from '../src/probe/figure';
import { accuracyMetrics } from '../src/probe/human/choices';
import { humanClaims } from '../src/probe/human/claims';
import type { HumanRow } from '../src/probe/human/row';
import { Cell } from '../src/probe/invariance/cell';
import { invarianceClaims } from '../src/probe/invariance/claims';
import { changesOf, pairsOf } from '../src/probe/invariance/compare/contrasts';
import { spreadOf } from '../src/probe/invariance/compare/wordSpread';
import { lgipClaims } from '../src/probe/lgip/claims';
import { ByWord } from '../src/probe/lgip/rates/byWord';
import type { Metric, Claim } from '../src/probe/metric';
import { holm } from '../src/stats/holm';
import { normalQuantile } from '../src/stats/normal';
import { median } from '../src/stats/summary';

const datasets = Number(process.argv[2] ?? 2000);
const part = process.argv[3];

const normal = (random: Random): number => normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));

/** Skewness 2, mean 0, standard deviation 1. */
const skewed = (random: Random): number => -Math.log(1 - random.uniform()) - 1;

function codesIn(words: Words): string[] {
  return typeof words === 'string'
    ? [words]
    : [words.code, ...words.values.flatMap((one) => codesIn(one as Words))];
}

const codesOf = (claims: readonly Claim[]): string[] => claims.flatMap(({ text }) => codesIn(text));

/** One line: the share of data sets in which each event happens. */
function show(title: string, images: number, of: (random: Random) => Record<string, boolean>): void {
  const hits: Record<string, number> = {};
  for (let at = 0; at < datasets; at++)
    for (const [name, hit] of Object.entries(of(new Random(17, title, images, at))))
      hits[name] = (hits[name] ?? 0) + (hit ? 1 : 0);
  const cells = Object.entries(hits).map(([name, count]) => `${name} ${(count / datasets).toFixed(3)}`);
  console.log(`| ${title} | ${images} | ${cells.join(' | ')} |`);
}

const flipTypes = ['object', 'color', 'number'] as const;

/** One or two captions an image, each with a flip of each type. Words have frequencies as of those in COCO's captions. */
function margin(random: Random, images: number, byWord: number, mean: number): Record<string, boolean> {
  const [all, words] = [new Figure(), new ByWord()];
  const types = { object: new Figure(), color: new Figure(), number: new Figure() };
  const effects = flipTypes.map(() => Array.from({ length: 9 }, () => normal(random)));
  for (let image = 0; image < images; image++) {
    const own = normal(random);
    for (let caption = 0; caption < 1 + (image % 2); caption++) {
      const margins = flipTypes.map((kind, type) => {
        const word = Math.floor(9 * random.uniform() ** 1.8);
        const noise = Math.sqrt((1 - byWord) / 2) * (own + normal(random));
        const value = mean + Math.sqrt(byWord) * effects[type][word] + noise;
        types[kind].add(value, image);
        const flip = {
          text: 'x',
          family: 'flip',
          kind,
          rule: kind,
          score: 0,
          delta: -value,
          gap: value,
        } as const;
        words.add(`w${word}`, { ...flip, was: [0, 2], span: [0, 1] }, image, 0);
        return value;
      });
      all.add(margins.reduce((a, b) => a + b, 0) / margins.length, image);
    }
  }
  const whole = atOnce(all.metric('lgip.margin', { interval: 'test' }));
  const codes = codesOf(
    lgipClaims([
      whole,
      ...flipTypes.map((kind) => atOnce(types[kind].metric(`lgip.margin.${kind}`, { interval: 'test' }))),
      ...atOnce(words.metrics()),
    ]),
  );
  return {
    'by image alone': against(whole.ci!, 0) !== 'across',
    'flips in general': codes.some((code) => /^lgip\.paraphrasesChange(Less|More)$/.test(code)),
    'any verdict': codes.some((code) =>
      /^lgip\.(paraphrasesChange(Less|More)|margin(Above|Below))$/.test(code),
    ),
  };
}

const kinds = ['HC', 'HI', 'HM', 'MM'];

/** A pair of each kind for each image, whose answers share half of their latent variance. */
function byKind(random: Random, images: number, right: readonly number[]): Record<string, boolean> {
  const rows = Array.from({ length: images }).flatMap((_, image) => {
    const own = normal(random);
    return kinds.map((category, kind): HumanRow => {
      const isRight = (own + normal(random)) * Math.SQRT1_2 < normalQuantile(right[kind]);
      return {
        ...{ example: `${image} ${category}`, row: image, image: `${image}`, kind: 'preference' },
        ...{ captions: ['a', 'b'], scores: [isRight ? [1, 0] : [0, 1]], preferred: 0, tags: { category } },
      };
    });
  });
  const claims = humanClaims(atOnce(accuracyMetrics(rows, [])));
  const named = claims.flatMap(({ text }) => statements(text));
  const isNamed = (share: (right: number) => boolean): boolean =>
    named.some((own) => kinds.some((kind, at) => share(right[at]) && own.includes(kind)));
  return {
    'a kind at chance is named': isNamed((share) => share === 0.5),
    'another kind is named': isNamed((share) => share !== 0.5),
  };
}

/** For each statement that a kind is above or below chance: the kinds that it names. */
function statements(words: Words): string[][] {
  if (typeof words === 'string') return [];
  return /^lgip\.type(Above|Below)Chance$/.test(words.code)
    ? [codesIn(words)]
    : words.values.flatMap((one) => statements(one as Words));
}

/** Four changes of each image, of which vertical flips may have an effect. Half of the images show persons, the others things. */
function byObject(random: Random, images: number, person: number, thing: number): Record<string, boolean> {
  const metrics = ['vflip', 'hflip', 'rotation', 'reposition'].flatMap((family) => {
    const cells = { all: new Cell(), person: new Cell(), 'non-person': new Cell() };
    for (let image = 0; image < images; image++) {
      const object = image % 2 === 0 ? 'person' : 'non-person';
      const before = 10 + normal(random);
      const score = before + normal(random) + (family === 'vflip' ? (image % 2 === 0 ? person : thing) : 0);
      const shift = { against: before, score, image, reference: `${image}`, category: object };
      for (const cell of [cells.all, cells[object]]) cell.add(shift);
    }
    const prefix = `invariance.spatial.${family}`;
    return [
      ...atOnce(cells.all.medians(prefix)),
      atOnce(cells.all.test(`${prefix}.p`)),
      ...(family === 'vflip' ? (['person', 'non-person'] as const) : []).flatMap((object) =>
        atOnce(cells[object].medians(prefix, { object })),
      ),
    ];
  });
  const found = invarianceClaims(metrics).filter(({ text }) =>
    codesIn(text).some((code) => /^invariance\.change(Raises|Lowers)Score$/.test(code)),
  );
  const aboutFlips = found.filter(({ text }) => codesIn(text).includes('invariance.actFlippingVertically'));
  const scoped = codesOf(aboutFlips).filter((code) => /^invariance\.(shownFor|things|persons)/.test(code));
  return {
    'any verdict': found.length > 0,
    'vertical flips': aboutFlips.length > 0,
    'also for things': aboutFlips.length > 0 && scoped.length === 0,
    'things the other way': scoped.includes('invariance.thingsReversed'),
  };
}

const emotions = ['angry', 'calm', 'cheerful', 'lonely', 'proud', 'sad', 'tired'];

interface PairSetting {
  words: number;
  apart: number;
  raised: number;
  draw?: (random: Random) => number;
}

/** Words and four neutral words on the same images. `apart` is the deviation of all their effects, of which `draw` has one. */
function pairs(
  random: Random,
  images: number,
  { words: count, apart, raised, draw = normal }: PairSetting,
): Record<string, boolean> {
  const base = Array.from({ length: images }, () => 10 + normal(random));
  const made = (names: readonly string[], effect: number) =>
    names.map((name, at) => {
      const cell = new Cell();
      const own = apart * draw(random) + (at === 0 ? effect : 0);
      for (const [image, against] of base.entries())
        cell.add({
          against,
          score: against + own + normal(random),
          image,
          reference: `${image}`,
          category: '',
        });
      return { name, cell };
    });
  // The bootstrap intervals take long, and exclude 0 nearly always if the test does.
  const of = (neutral: boolean): Metric[] => {
    const names = neutral ? ['normal', 'plain', 'regular', 'typical'] : emotions.slice(0, count);
    const prefix = `invariance.societal.${neutral ? 'neutral' : 'emotion'}`;
    const groups = made(names, neutral ? 0 : raised);
    const tested = atOnce(pairsOf(groups.map(({ cell }) => changesOf(cell))));
    const adjusted = holm(tested.map(({ pValue }) => pValue!));
    return tested.flatMap(({ first, second, changes }, at) => {
      const value = median(changes);
      const slice = { variant: names[first], against: names[second] };
      return [
        { id: `${prefix}.between`, value: adjusted[at], n: images, slice },
        { id: `${prefix}.contrast`, value, ci: [value - 1e-9, value + 1e-9], n: images, slice },
      ];
    });
  };
  const [words, neutral] = [of(false), of(true)];
  const says = (metrics: typeof words): boolean =>
    codesOf(invarianceClaims(metrics)).some((code) => /^invariance\.wordScoresHigher/.test(code));
  const largest = (metrics: typeof words): number =>
    spreadOf(metrics.filter(({ id }) => id.endsWith('.contrast'))).largest;
  const isFound = says(words);
  return {
    'test alone': isFound,
    'larger than any neutral': isFound && largest(words) > largest(neutral),
    verdict: says([...words, ...neutral]),
  };
}

if (part === undefined || part === 'margin')
  for (const images of [20, 50, 200])
    for (const [title, byWord, mean] of [
      ['margin 0, no effect of words', 0, 0],
      ['margin 0, a third of the variance is the word’s', 1 / 3, 0],
      ['margin 0, two thirds of the variance are the word’s', 2 / 3, 0],
      ['margin .8, no effect of words', 0, 0.8],
      ['margin .8, a third of the variance is the word’s', 1 / 3, 0.8],
    ] as const)
      show(title, images, (random) => margin(random, images, byWord, mean));
if (part === undefined || part === 'human')
  for (const images of [20, 50, 200])
    for (const [title, right] of [
      ['guesses', [0.5, 0.5, 0.5, 0.5]],
      ['70 % of two kinds, guesses the others', [0.7, 0.7, 0.5, 0.5]],
    ] as const)
      show(title, images, (random) => byKind(random, images, right));
if (part === undefined || part === 'object')
  for (const images of [40, 100])
    for (const [title, person, thing] of [
      ['no effect', 0, 0],
      ['persons .8', 0.8, 0],
      ['both .8', 0.8, 0.8],
    ] as const)
      show(title, images, (random) => byObject(random, images, person, thing));
if (part === undefined || part === 'pairs')
  for (const images of [20, 50, 200])
    for (const words of [3, 7])
      for (const [title, apart, raised, draw] of [
        ['no effects', 0, 0, normal],
        ['words and neutral words differ alike', 0.5, 0, normal],
        ['the same, skewed effects', 0.5, 0, skewed],
        ['one word is 1 higher', 0, 1, normal],
        ['one word is 2 higher', 0, 2, normal],
        ['all differ, and one word by 2 more', 0.5, 2, normal],
      ] as const)
        show(`${words} words: ${title}`, images, (random) =>
          pairs(random, images, { words, apart, raised, draw }),
        );
