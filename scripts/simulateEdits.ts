/*
 * Type-I errors of the verdicts of the probes `exploit` and `long`, with an evaluator that guesses, and the coverage of the
 * intervals of `keepFlips`.
 * npx tsx scripts/simulateEdits.ts [DATASETS] [PART]
 */
import { atOnce } from '../src/base/turns/steps';
import type { Words } from '../src/base/say';
import { Random } from '../src/base/random';
import { exploitFamilies } from '../src/perturb/exploit/families';
import { exploitClaims } from '../src/probe/exploit/claims';
import type { ExploitRow } from '../src/probe/exploit/row';
import { ExploitSummary } from '../src/probe/exploit/summary';
import { KeepFlips } from '../src/probe/filter/keepFlips';
import { longClaims } from '../src/probe/long/claims';
import type { LongRow } from '../src/probe/long/row';
import { LongSummary } from '../src/probe/long/summary';
import { normalQuantile } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 400);
const part = process.argv[3];
const sizes = [20, 50, 200];

const normal = (random: Random): number => normalQuantile(Math.max(1e-12, random.uniform()));
/** Skewness 2, mean 0, standard deviation 1. */
const skewed = (random: Random): number => -Math.log(1 - random.uniform()) - 1;
const codeOf = (words: Words): string => (typeof words === 'string' ? '' : words.code);
const span = [0, 1] as const;

type Draw = (random: Random) => number;

/** The image's share of the variance is one half. */
function changes(random: Random, draw: Draw, gain: number): () => number {
  const own = draw(random);
  return () => gain + (own + draw(random)) * Math.SQRT1_2;
}

interface Gains {
  edit: number;
  control: number;
  /** The share of an edit's variance that its inserted text has on all images. */
  byText: number;
}

const insertedTexts = 12;

/** 1 to 3 captions of an image with two edits of each family and their controls. Some inserted texts are frequent. */
function exploitRows(random: Random, images: number, draw: Draw, gains: Gains): ExploitRow[] {
  const effects = new Map(
    exploitFamilies.map((family) => [family, Array.from({ length: 2 * insertedTexts }, () => draw(random))]),
  );
  return Array.from({ length: images }).flatMap((_, image) => {
    const change = changes(random, draw, 0);
    return Array.from({ length: 1 + (image % 3) }, (_, caption): ExploitRow => ({
      ...{ example: `${image}`, row: image, image: `${image}`, caption, field: 'caption' },
      ...{ text: 'a', words: 9, score: 0, omitted: [] },
      edits: exploitFamilies.flatMap((family) =>
        ['first', 'second'].map((kind, form) => {
          const text = Math.floor(insertedTexts * random.uniform() ** 1.8);
          const effect = effects.get(family)![form * insertedTexts + text];
          const { byText } = gains;
          const delta = gains.edit + Math.sqrt(byText) * effect + Math.sqrt(1 - byText) * change();
          const control = gains.control + change();
          return {
            ...{ family, kind, text: String.fromCharCode(97 + text), score: delta, delta, span, was: span },
            control: { text: '-', score: control, delta: control },
          };
        }),
      ),
    }));
  });
}

/** A caption an image with 3 to 9 errors, half of which are detected by chance, and one edit of each kind. */
function longRows(random: Random, images: number, draw: Draw): LongRow[] {
  return Array.from({ length: images }, (_, image): LongRow => {
    const change = changes(random, draw, 0);
    // The median of a skewed change is below 0, so errors have changes of their own.
    const error = changes(random, normal, 0);
    const shared = { text: 'b', span, was: span };
    return {
      ...{ example: `${image}`, row: image, image: `${image}`, caption: 0, field: 'caption' },
      ...{ text: 'a', words: 80, sentences: [], score: 0 },
      variants: [
        ...Array.from({ length: 3 + (image % 7) }, () => {
          const [position, delta] = [random.uniform(), error()];
          const decile = 1 + Math.floor(10 * position);
          return { ...shared, kind: 'color' as const, position, decile, score: delta, delta };
        }),
        ...(['delete', 'repeat', 'move'] as const).map((kind) => {
          const delta = change();
          return { ...shared, kind, score: delta, delta };
        }),
      ],
    };
  });
}

function shareOf(name: string, images: number, isWrong: (random: Random) => boolean): string {
  let wrong = 0;
  for (let i = 0; i < datasets; i++) if (isWrong(new Random(11, name, images, i))) wrong++;
  return (wrong / datasets).toFixed(3);
}

function simulateExploit(): void {
  const rowOf = (name: string, draw: Draw, gains: Gains, counts: (code: string) => boolean): void => {
    const shares = sizes.map((images) =>
      shareOf(name, images, (random) => {
        const summary = new ExploitSummary({
          families: exploitFamilies,
          controls: true,
          injection: [],
          universal: 0,
          keep: [],
          search: 0,
          words: [],
        });
        for (const row of exploitRows(random, images, draw, gains)) summary.add(row);
        return exploitClaims(atOnce(summary.finish()).metrics).some(({ text }) => counts(codeOf(text)));
      }),
    );
    console.log(`| exploit: ${name} | ${shares.join(' | ')} |`);
  };
  const any = (): boolean => true;
  const isMore = (code: string): boolean => code === 'exploit.raisesMore';
  const [none, alike] = [
    { edit: 0, control: 0 },
    { edit: 1, control: 1 },
  ];
  rowOf('edits change nothing on average', normal, { ...none, byText: 0 }, any);
  rowOf('the same, skewed', skewed, { ...none, byText: 0 }, any);
  rowOf('a third of the variance is the inserted text’s', normal, { ...none, byText: 1 / 3 }, any);
  rowOf('two thirds are the inserted text’s', normal, { ...none, byText: 2 / 3 }, any);
  rowOf('edits raise the score as their controls do ("more")', normal, { ...alike, byText: 0 }, isMore);
  rowOf('the same, a third is the inserted text’s ("more")', normal, { ...alike, byText: 1 / 3 }, isMore);
  const power = { edit: 1, control: 0, byText: 0 };
  rowOf('power: edits raise the score by 1, controls by 0 ("more")', normal, power, isMore);
  rowOf('power, a third is the inserted text’s ("more")', normal, { ...power, byText: 1 / 3 }, isMore);
}

function simulateLong(): void {
  for (const [name, draw] of [
    ['guesses', normal],
    ['guesses, edits have skewed changes', skewed],
  ] as const) {
    const shares = sizes.map((images) =>
      shareOf(name, images, (random) => {
        const summary = new LongSummary();
        for (const row of longRows(random, images, draw)) summary.add(row);
        return longClaims(atOnce(summary.finish()).metrics).some(
          ({ text }) => codeOf(text) !== 'long.detectedAsChance',
        );
      }),
    );
    console.log(`| long: ${name} | ${shares.join(' | ')} |`);
  }
}

const percents = [10, 30];

/** The share of decisions that a change reverses, of two captions an image with two changes each. */
function keepFlipsOf(random: Random, images: number, noise: number): KeepFlips {
  const flips = new KeepFlips(percents);
  for (let cluster = 0; cluster < images; cluster++) {
    const own = normal(random);
    for (let caption = 0; caption < 2; caption++) {
      const before = (own + normal(random)) * Math.SQRT1_2;
      flips.addOriginal(before);
      for (let change = 0; change < 2; change++)
        flips.addChange({ before, after: before + noise * normal(random), cluster });
    }
  }
  return flips;
}

/** The share over all captions: a caption at the threshold of a filter that keeps its share of normal scores. */
function reversedOf(percent: number, noise: number): number {
  const threshold = normalQuantile(1 - percent / 100);
  const steps = 200_000;
  const random = new Random(13, 'truth', percent, noise);
  let reversed = 0;
  for (let i = 0; i < steps; i++) {
    const before = normalQuantile((i + 0.5) / steps);
    if (before >= threshold !== before + noise * normal(random) >= threshold) reversed++;
  }
  return reversed / steps;
}

function simulateKeepFlips(): void {
  for (const noise of [0.3, 1]) {
    const truths = percents.map((percent) => reversedOf(percent, noise));
    const shares = sizes.map((images) => {
      const covered = percents.map(() => 0);
      for (let i = 0; i < datasets; i++) {
        const random = new Random(11, 'keepFlips', noise, images, i);
        for (const [at, { ci }] of atOnce(keepFlipsOf(random, images, noise).metrics('lgip')).entries())
          if (ci !== undefined && ci[0] <= truths[at] && truths[at] <= ci[1]) covered[at]++;
      }
      return covered.map((count) => (count / datasets).toFixed(3));
    });
    for (const [at, percent] of percents.entries())
      console.log(
        `| keepFlips@${percent}, ${(truths[at] * 100).toFixed(1)} % reversed | ${shares.map((own) => own[at]).join(' | ')} |`,
      );
  }
}

console.log(`| verdicts or interval | ${sizes.map((images) => `${images} images`).join(' | ')} |`);
console.log('|---|---:|---:|---:|');
if (part === undefined || part === 'exploit') simulateExploit();
if (part === undefined || part === 'long') simulateLong();
if (part === undefined || part === 'keepFlips') simulateKeepFlips();
