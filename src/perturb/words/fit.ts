import { smallest } from '../../base/extent';
import table from './fit.json';
import { conceptOf, isListed } from './concepts';
import { singular } from './number';

/** Function words, which `contentOf` skips. */
const empty = new Set(
  (
    'a an the this that these those some any each every his her its their my your our of in on at to with and or but is are was ' +
    'were be been being has have had while who which it he she they them him there as by for from into onto near up down out ' +
    'over under off through around next not no very also both all other another one two three four five several many few lot'
  ).split(' '),
);

/** The content words of a text in order, in the singular, with their positions. */
export function contentOf(text: string): { word: string; start: number; end: number }[] {
  return [...text.toLowerCase().matchAll(/[\p{L}][\p{L}'-]*/gu)]
    .filter(([word]) => !empty.has(word))
    .map((match) => ({
      word: singular(match[0], isListed),
      start: match.index,
      end: match.index + match[0].length,
    }));
}

interface Fit {
  words: readonly string[];
  place: ReadonlyMap<string, number>;
  counts: readonly number[];
  after: readonly ReadonlyMap<number, number>[];
  total: number;
}

let fit: Fit | undefined;

function loaded(): Fit {
  if (fit !== undefined) return fit;
  const words = table.words.split(' ');
  const counts = table.counts.split(' ').map(Number);
  fit = {
    words,
    place: new Map(words.map((word, at) => [word, at])),
    counts,
    after: table.after.split(',').map(
      (list) =>
        new Map(
          list
            .split(' ')
            .filter((pair) => pair !== '')
            .map((pair) => pair.split(':').map(Number) as [number, number]),
        ),
    ),
    total: counts.reduce((sum, count) => sum + count, 0),
  };
  return fit;
}

/** The content words of COCO captions that occur at least four times. */
export function fitWords(): readonly string[] {
  return loaded().words;
}

interface PairCount {
  seen: number;
  expected: number;
}

/** How often captions have `second` shortly after `first`, and how often this would happen by chance. */
function pairCount(first: string, second: string): PairCount {
  const { place, counts, after, total } = loaded();
  const [a, b] = [place.get(first), place.get(second)];
  if (a === undefined || b === undefined) return { seen: 0, expected: 0 };
  return { seen: after[a].get(b) ?? 0, expected: (3 * counts[a] * counts[b]) / total };
}

/** How often captions have the second word shortly after the first. */
export function seenTogether(first: string, second: string): number {
  return pairCount(first, second).seen;
}

/** How often a singular word occurs in 25,010 COCO captions. Words that occur fewer than four times get 0. */
export function frequencyOf(word: string): number {
  const { place, counts } = loaded();
  const at = place.get(word);
  return at === undefined ? 0 : counts[at];
}

/** The share of a word among all occurrences of `fitWords` in COCO captions. */
export function shareOf(word: string): number {
  return frequencyOf(word) / loaded().total;
}

/** How often captions have the word near each neighbour: three content words before the position, three after. */
function pairsAround(
  word: string,
  text: string,
  start: number,
  end: number,
  counts: (other: string) => boolean = () => true,
): PairCount[] {
  const content = contentOf(text);
  const before = content.filter((one) => one.end <= start).slice(-3);
  const after = content.filter((one) => one.start >= end).slice(0, 3);
  return [
    ...before.filter((one) => counts(one.word)).map((one) => pairCount(one.word, word)),
    ...after.filter((one) => counts(one.word)).map((one) => pairCount(word, one.word)),
  ];
}

const strengthOf = ({ seen, expected }: PairCount): number => Math.log((seen + 0.3) / (expected + 0.3));

/**
 * How well a word fits the content words around it: the mean log ratio of observed to expected joint
 * occurrences in COCO captions. 0 without neighbours, and -Infinity if no neighbour ever occurs with the word.
 */
export function fitOf(word: string, text: string, start: number, end: number): number {
  const pairs = pairsAround(word, text, start, end);
  if (pairs.length === 0) return 0;
  if (!pairs.some(({ seen }) => seen > 0)) return -Infinity;
  return pairs.reduce((total, pair) => total + strengthOf(pair), 0) / pairs.length;
}

/** The log ratio of `fitOf` for the worst neighbour, at most 0. Skips people, who occur everywhere. */
export function weakestFitOf(word: string, text: string, start: number, end: number): number {
  const pairs = pairsAround(word, text, start, end, (other) => conceptOf(other) !== 'person');
  return smallest([0, ...pairs.map(strengthOf)]);
}
