/*
 * Coverage of the 95 % intervals on the length of captions (`human.tauB.length` and those beside it), on a filter by the
 * score (`exploit.keepFlips`, `exploit.brought`) and on a family of models (`human.family`), and Type-I errors of the tests.
 * npx tsx scripts/simulateLengthAndFilters.ts [DATASETS] [length, filters or family] [NAME]
 */
import { atOnce } from '../src/base/turns/steps';
import { Brought } from '../src/probe/exploit/brought';
import type { ExploitRow } from '../src/probe/exploit/row';
import { KeepFlips } from '../src/probe/filter/keepFlips';
import { familyMetrics } from '../src/probe/human/family';
import type { HumanRow } from '../src/probe/human/row';
import { lengthAgreement } from '../src/probe/inference/lengthAgreement';
import type { Metric } from '../src/probe/metric';
import { association } from '../src/stats/agreement/association';
import { partialAssociation, partialScales } from '../src/stats/agreement/partial';
import { numberClusters } from '../src/stats/clustering';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { isDefined, type Outcome } from '../src/stats/outcome';
import { type Captions, captionCounts, covers, sizes } from './coverage';

const part = process.argv[3];
/** The number of simulated images of one caption in the population. */
const population = 200_000;

type Draw = (draws: Draws) => number;
const normal: Draw = (draws) => normalQuantile(draws.uniform());
/** Skewness 2, mean 0, standard deviation 1. */
const skewed: Draw = (draws) => -Math.log(draws.uniform()) - 1;

interface Owed {
  /** The correlation of people's ratings, and of scores, with the length. */
  people: number;
  scores: number;
  /** The correlation of what is left of both. */
  rest: number;
  /** The upper ends of a scale's levels, in standard deviations. Without them, ratings (or scores) are continuous. */
  ratingLevels?: readonly number[];
  scoreLevels?: readonly number[];
  /** The number of words is skewed and whole. Otherwise, lengths are normal and without ties. */
  isSkewed?: boolean;
}

interface Rated {
  words: number[];
  ratings: number[];
  scores: number[];
  /** The lengths before they are made words. */
  lengths: number[];
  clusters: number[];
}

const leveled = (value: number, levels?: readonly number[]): number =>
  levels === undefined ? value : levels.filter((end) => value > end).length;

/** All correlations are those of normal variables. Half of each variance is the image's. */
function ratedOf(draws: Draws, images: number, captions: Captions, owed: Owed): Rated {
  const out: Rated = { words: [], ratings: [], scores: [], lengths: [], clusters: [] };
  const left = (r: number): number => Math.sqrt(1 - r * r);
  for (let image = 0; image < images; image++) {
    const own = [0, 1, 2].map(() => normal(draws));
    for (let i = captions.of(image); i > 0; i--) {
      const [length, u, v] = own.map((common) => (common + normal(draws)) * Math.SQRT1_2);
      const people = owed.people * length + left(owed.people) * u;
      const score = owed.scores * length + left(owed.scores) * (owed.rest * u + left(owed.rest) * v);
      out.lengths.push(length);
      out.words.push(owed.isSkewed === true ? Math.ceil(30 * Math.exp(0.8 * length)) : length);
      out.ratings.push(leveled(people, owed.ratingLevels));
      out.scores.push(leveled(score, owed.scoreLevels));
      out.clusters.push(image);
    }
  }
  return out;
}

function defined<T>(outcome: Outcome<T>): T {
  if (!isDefined(outcome)) throw new Error('The population has no agreement.');
  return outcome;
}

/** The values of the population: of one caption of each of many images. */
function lengthTruths(owed: Owed): Map<string, number> {
  const { words, ratings, scores } = ratedOf(new Draws('truth'), population, captionCounts[0], owed);
  // Ten clusters, because only the values over all captions are needed.
  const clusters = numberClusters(words.map((_, i) => i % 10));
  const of = (x: number[], y: number[]) => association('tauB', x, y, clusters);
  const [agreement, ofScores, ofPeople] = [of(ratings, scores), of(words, scores), of(words, ratings)];
  const partial = (scale: keyof typeof partialScales): number =>
    defined(partialAssociation(agreement, ofScores, ofPeople, partialScales[scale])).value;
  const [byScores, byPeople] = [ofScores, ofPeople].map((one) => defined(one).value);
  return new Map([
    ['human.tauB.length', partial('own')],
    ['human.tauB.length.normal', partial('normal')],
    ['human.length.scores', byScores],
    ['human.length.people', byPeople],
    ['human.length.overPeople', byScores - byPeople],
  ]);
}

/** The correlation with the length that gives continuous scores the τ-b that ratings in levels have. */
function sameAsLeveled(people: number, ratingLevels: readonly number[]): number {
  const owed = { people, scores: 0, rest: 0, ratingLevels };
  const { lengths, ratings } = ratedOf(new Draws('levels'), population, captionCounts[0], owed);
  const clusters = numberClusters(lengths.map((_, i) => i % 10));
  return Math.sin((Math.PI / 2) * defined(association('tauB', lengths, ratings, clusters)).value);
}

function simulateLength(): void {
  // Pearson's r of normal variables whose τ is .1 and .5.
  const [few, much] = [0.1, 0.5].map((tau) => Math.sin((Math.PI / 2) * tau));
  // From 1 to 5, of which half are 5.
  const levels = [0.05, 0.12, 0.25, 0.5].map(normalQuantile);
  const skew = { isSkewed: true, ratingLevels: levels, rest: much };
  const settings: readonly [string, Owed][] = [
    ['length matters to neither', { people: 0, scores: 0, rest: much }],
    ['both much, and nothing else in common', { people: much, scores: much, rest: 0 }],
    ['scores much, people a little', { people: few, scores: much, rest: much }],
    ['skewed, both alike', { ...skew, people: much, scores: sameAsLeveled(much, levels) }],
    ['skewed, both alike and in levels', { ...skew, people: much, scores: much, scoreLevels: levels }],
  ];
  for (const [name, owed] of settings)
    covers(
      name,
      () => lengthTruths(owed),
      (draws, images, captions) => {
        const { clusters, ...rated } = ratedOf(draws, images, captions, owed);
        return atOnce(lengthAgreement('human', { ...rated, clusters: numberClusters(clusters) }));
      },
    );
}

interface Edited {
  draw: Draw;
  /** The mean of an edit's change, and its standard deviation, both in standard deviations of scores. */
  mean: number;
  spread: number;
}

const span = [0, 1] as const;
const place = { example: 'a', image: 'a', field: 'caption' };

interface Captioned {
  image: number;
  before: number;
  /** The scores of two edits. */
  after: readonly number[];
}

/** Half of the variance of scores and of changes is the image's. */
function editedOf(
  draws: Draws,
  images: number,
  captions: Captions,
  { draw, mean, spread }: Edited,
): Captioned[] {
  return Array.from({ length: images }, (_, image) => {
    const [level, shared] = [normal(draws), draw(draws)];
    return Array.from({ length: captions.of(image) }, () => {
      const before = (level + normal(draws)) * Math.SQRT1_2;
      const change = (): number => mean + spread * (shared + draw(draws)) * Math.SQRT1_2;
      return { image, before, after: [before + change(), before + change()] };
    });
  }).flat();
}

function filterMetrics(captions: readonly Captioned[]): Metric[] {
  const [flips, brought] = [new KeepFlips([30]), new Brought([30])];
  for (const [at, { image, before, after }] of captions.entries()) {
    flips.addOriginal(before);
    for (const score of after) flips.addChange({ before, after: score, cluster: image });
    const edits = after.map((score, kind): ExploitRow['edits'][number] => ({
      ...{ family: 'quality', kind: `${kind}`, text: 'b', score, delta: score - before, span, was: span },
    }));
    const row = { ...place, row: image, caption: at, text: 'a', words: 9, score: before, omitted: [], edits };
    brought.add(row, image);
  }
  return [...atOnce(flips.metrics('exploit')), ...atOnce(brought.metrics())];
}

function thresholdOf(captions: readonly Captioned[]): number {
  const scores = captions.map(({ before }) => before).sort((a, b) => b - a);
  return scores[Math.ceil((30 * scores.length) / 100) - 1];
}

/** The share of captions below the threshold that an edit brings to it. */
function broughtAt(captions: readonly Captioned[], threshold: number): number {
  let [dropped, brought] = [0, 0];
  for (const { before, after } of captions) {
    if (before >= threshold) continue;
    dropped++;
    if (after[0] >= threshold || after[1] >= threshold) brought++;
  }
  return brought / dropped;
}

function simulateFilters(): void {
  const atOwn = 'exploit.brought@30 of the threshold';
  for (const [kind, draw] of [
    ['normal', normal],
    ['skewed', skewed],
  ] as const)
    for (const [mean, spread] of [
      [0, 0.03],
      [0, 0.3],
      [1.2, 1],
    ]) {
      const edited = { draw, mean, spread };
      const all = editedOf(new Draws('truth'), population, captionCounts[0], edited);
      const truths = new Map(filterMetrics(all).map((one) => [one.id, one.value!]));
      const few = all.slice(0, 20_000);
      const whole = broughtAt(few, thresholdOf(few));
      truths.set(atOwn, truths.get('exploit.brought@30')!);
      covers(
        `${kind}, mean ${mean}, SD ${spread}`,
        () => truths,
        (draws, images, captions) => {
          const own = editedOf(draws, images, captions, edited);
          const metrics = filterMetrics(own);
          const { ci, ...brought } = metrics.at(-1)!;
          if (ci === undefined) return metrics;
          // An interval that is moved by as much as the share differs at the threshold of the run.
          const moved = whole - broughtAt(few, thresholdOf(own));
          return [...metrics, { ...brought, id: atOwn, ci: [ci[0] + moved, ci[1] + moved] }];
        },
      );
    }
}

/** Pairs of a caption of the family and another one. Half of the errors of an image's pairs are decided together. */
function familyRows(
  draws: Draws,
  images: number,
  captions: Captions,
  { favour, against, preferred }: { favour: number; against: number; preferred: number },
): HumanRow[] {
  return Array.from({ length: images }, (_, image) => {
    const shared = draws.uniform();
    return Array.from({ length: captions.of(image) }, (): HumanRow => {
      const isOwn = draws.uniform() < preferred;
      const luck = draws.uniform() < 0.5 ? shared : draws.uniform();
      const errs = luck < (isOwn ? against : favour);
      return {
        ...{ example: `${image}`, row: image, image: `${image}`, kind: 'preference', captions: ['a', 'b'] },
        ...{
          systems: ['own', 'other'],
          preferred: isOwn ? 0 : 1,
          scores: [isOwn === errs ? [0, 1] : [1, 0]],
        },
      };
    });
  }).flat();
}

function simulateFamily(): void {
  for (const preferred of [0.5, 0.8])
    for (const [favour, against] of [
      [0.02, 0.02],
      [0.1, 0.1],
      [0.5, 0.5],
      [0.1, 0.02],
      [0.5, 0.1],
    ])
      covers(
        `errors ${favour} and ${against}, people prefer the family in ${preferred}`,
        () => new Map([['human.family', favour - against]]),
        (draws, images, captions) =>
          atOnce(familyMetrics(familyRows(draws, images, captions, { favour, against, preferred }), ['own'])),
      );
}

console.log(
  `| data | captions | interval | truth | ${sizes.map((images) => `${images} images`).join(' | ')} |`,
);
console.log('|---|---|---|---:|---:|---:|---:|');
if (part === undefined || part === 'length') simulateLength();
if (part === undefined || part === 'filters') simulateFilters();
if (part === undefined || part === 'family') simulateFamily();
