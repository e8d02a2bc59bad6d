/*
 * Type-I errors and power of LGIP's verdicts on caught flips, with known truth: evaluators that guess, that do not notice
 * a share of the flips, or that only prefer small numbers.
 * npx tsx scripts/simulateLgip.ts [DATASETS]
 */
import { atOnce } from '../src/base/turns/steps';
import type { Words } from '../src/base/say';
import { Random } from '../src/base/random';
import { Gaps } from '../src/probe/lgip/flipRecord';
import { lgipClaims } from '../src/probe/lgip/claims';
import { ByWord } from '../src/probe/lgip/rates/byWord';
import { directions, directionSlice } from '../src/probe/lgip/rates/direction';
import type { LgipVariant } from '../src/probe/lgip/row';

const datasets = Number(process.argv[2] ?? 1000);
const types = ['object', 'color', 'number'] as const;

interface Setting {
  name: string;
  images: number;
  /** The share of flips that have the caption's score. */
  ties: number;
  /** The probability of a drop, for flips without a tie. */
  caught: Partial<Record<(typeof types)[number], number>>;
  /** The probability that a number flip names a larger number, if the evaluator prefers small ones. */
  larger?: number;
  /** Whether the answer follows from the replaced word alone, half of which are caught. */
  byWord?: boolean;
}

/** Words per type, with frequencies as of the replaced words in COCO's captions (the most frequent one: 29 %). */
const words = 9;

/** The metrics that the verdicts read, from 1 to 3 captions an image with a flip of each type. */
function metricsOf(random: Random, { images, ties, caught, larger, byWord: follows }: Setting) {
  const [all, pooled] = [new Gaps(), new Gaps()];
  const byType = { object: new Gaps(), color: new Gaps(), number: new Gaps() };
  const byDirection = { larger: new Gaps(), smaller: new Gaps() };
  const answers = types.map(() => Array.from({ length: words }, () => (random.uniform() < 0.5 ? 1 : -1)));
  const perWord = new ByWord();
  for (let image = 0; image < images; image++) {
    // Captions of an image are alike: half of them repeat the answers of the first one.
    let last: { gaps: number[]; own: number[] } | undefined;
    for (let caption = 0; caption < 1 + (image % 3); caption++) {
      const direction = random.uniform() < (larger ?? 0.5) ? 'larger' : 'smaller';
      const own = types.map(() => Math.floor(words * random.uniform() ** 1.8));
      const drawn = types.map((type, i) => {
        if (follows) return answers[i][own[i]];
        if (random.uniform() < ties) return 0;
        if (type === 'number' && larger !== undefined) return direction === 'larger' ? 1 : -1;
        return random.uniform() < (caught[type] ?? 0.5) ? 1 : -1;
      });
      const isRepeated = last !== undefined && random.uniform() < 0.5;
      last = isRepeated ? last! : { gaps: drawn, own };
      const { gaps } = last;
      all.add(gaps, image);
      for (const [i, kind] of types.entries()) perWord.add(`w${last.own[i]}`, flipOf(kind, gaps[i]), image);
      for (const [i, type] of types.entries()) {
        pooled.add([gaps[i]], image);
        byType[type].add([gaps[i]], image);
      }
      if (!isRepeated) byDirection[direction].add([gaps[2]], image);
    }
  }
  return atOnce(
    (function* () {
      return [
        ...(yield* all.metrics((figure) => `lgip.${figure}`)),
        ...(yield* perWord.metrics()),
        pooled.pr.soFar('lgip.pr.pooled', { rate: true }),
        ...(yield* byType.object.metrics((figure) => `lgip.${figure}.object`)),
        ...(yield* byType.color.metrics((figure) => `lgip.${figure}.color`)),
        ...(yield* byType.number.metrics((figure) => `lgip.${figure}.number`)),
        ...(yield* byDirection.larger.metrics((figure) => `lgip.${figure}`, directionSlice(directions[0]))),
        ...(yield* byDirection.smaller.metrics((figure) => `lgip.${figure}`, directionSlice(directions[1]))),
      ];
    })(),
  );
}

function flipOf(kind: string, gap: number): LgipVariant & { gap: number } {
  const text = 'other';
  return { text, family: 'flip', kind, rule: kind, score: 0, delta: -gap, gap, was: [0, 2], span: [0, 5] };
}

function codesIn(words: Words): string[] {
  return typeof words === 'string'
    ? []
    : [words.code, ...words.values.flatMap((one) => codesIn(one as Words))];
}

const settings: Setting[] = [20, 50, 200].flatMap((images): Setting[] => [
  { name: 'guesses', images, ties: 0, caught: {} },
  { name: 'guesses, 45 % of the flips unnoticed', images, ties: 0.45, caught: {} },
  { name: 'catches 70 % of each type', images, ties: 0, caught: { object: 0.7, color: 0.7, number: 0.7 } },
  {
    name: 'catches 70 % of what it notices, 45 % unnoticed',
    images,
    ties: 0.45,
    caught: { object: 0.7, color: 0.7, number: 0.7 },
  },
  {
    name: 'catches 75 % of each type ("detected" is wrong)',
    images,
    ties: 0,
    caught: { object: 0.75, color: 0.75, number: 0.75 },
  },
  { name: 'likes and dislikes words, whatever the image', images, ties: 0, caught: {}, byWord: true },
  {
    name: 'prefers small numbers, 80 % of the number flips name larger ones',
    images,
    ties: 0,
    caught: {},
    larger: 0.8,
  },
]);

console.log('| evaluator | images | any flip | a type | detected | numbers |');
console.log('|---|---:|---:|---:|---:|---:|');
for (const setting of settings) {
  const counts = { any: 0, type: 0, detected: 0, number: 0 };
  for (let i = 0; i < datasets; i++) {
    const metrics = metricsOf(new Random(7, setting.name, setting.images, i), setting);
    const texts = lgipClaims(metrics).map(({ text }) => text);
    const codes = texts.flatMap(codesIn);
    if (codes.some((code) => /^lgip\.caught(Above|Below)Chance$/.test(code))) counts.any++;
    if (codes.some((code) => /^lgip\.type(Detected|AboveChance|BelowChance)$/.test(code))) counts.type++;
    if (codes.includes('lgip.typeDetected')) counts.detected++;
    const about = texts.flatMap((text) => statements(text));
    if (
      about.some(
        (one) =>
          /type(Detected|AboveChance|BelowChance)/.test(one.code) && one.names.includes('lgip.kindNumber'),
      )
    )
      counts.number++;
  }
  const shares = Object.values(counts).map((count) => (count / datasets).toFixed(3));
  console.log(`| ${setting.name} | ${setting.images} | ${shares.join(' | ')} |`);
}

/** The statements by type, each with the codes of the types that it names. */
function statements(words: Words): { code: string; names: string[] }[] {
  if (typeof words === 'string') return [];
  if (words.code.startsWith('lgip.type') && words.code !== 'lgip.typesDetected')
    return [{ code: words.code, names: codesIn(words) }];
  return words.values.flatMap((one) => statements(one as Words));
}
