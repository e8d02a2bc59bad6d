/* Which words and which regions carry the difference between the scores of two captions of one image. */
import { Random } from '../base/random';
import { inCommon } from '../base/text/common';
import { sum } from '../stats/summary';
import type { ImageItem } from '../protocol/item';
import { type Grid, hiddenCells, minus, type RegionInfluence } from './regions';
import type { PairScorer } from './scorer';
import { wordsOf } from './units';
import { planFor } from './words';

/** Words of a caption and what they became. Either side may be empty. */
export interface WordChange {
  from: string;
  to: string;
  /** How much this change contributes to the difference of the scores. */
  influence: number;
  ci?: [number, number];
}

export interface ChangeExplained {
  caption: string;
  other: string;
  score: number;
  otherScore: number;
  /** `otherScore` − `score`. The influences of the changes sum to it. */
  difference: number;
  exact: boolean;
  permutations?: number;
  changes: WordChange[];
  /** For each region, how much of the difference disappears if it is hidden. Absent without an image. */
  regions?: RegionInfluence[];
}

/** Longer captions are not compared by words, as the table of an alignment grows with the square of their length. */
const mostWords = 400;

interface Segment {
  common: boolean;
  from: string[];
  to: string[];
}

export async function explainChange(
  scorer: PairScorer,
  { caption, other }: { caption: string; other: string },
  { permutations, seed }: { permutations: number; seed: number },
  over?: { image: ImageItem; grid: Grid },
): Promise<ChangeExplained> {
  const segments = align(caption, other);
  const changed = segments.filter(({ common }) => !common);
  const plan = planFor(
    changed.length,
    permutations,
    () => new Random(seed, caption, other, 'explain.change'),
  );
  const texts = plan.coalitions.map((coalition) => {
    if (coalition.every(Boolean)) return other;
    if (!coalition.some(Boolean)) return caption;
    return mixed(segments, (segment) => coalition[changed.indexOf(segment)]);
  });
  const [score, otherScore, ...values] = await scorer.scores(
    [caption, other, ...texts].map((text) => ({ text })),
  );
  const contributions = plan.solve(values);
  const regions = over === undefined ? undefined : await changedRegions(scorer, [caption, other], over);
  return {
    ...{ caption, other, score, otherScore },
    difference: sum([otherScore, -score]),
    exact: plan.exact,
    ...(plan.permutations === undefined ? {} : { permutations: plan.permutations }),
    changes: changed.map(({ from, to }, i) => ({
      ...{ from: from.join('').trim(), to: to.join('').trim(), influence: contributions[i].value },
      ...(contributions[i].ci === undefined ? {} : { ci: contributions[i].ci }),
    })),
    ...(regions === undefined ? {} : { regions }),
  };
}

async function changedRegions(
  scorer: PairScorer,
  captions: readonly [string, string],
  { image, grid }: { image: ImageItem; grid: Grid },
): Promise<RegionInfluence[]> {
  const images = [image, ...hiddenCells(image, grid)];
  const outcomes = await scorer.outcomes(
    images.flatMap((one) => captions.map((text) => ({ text, image: one }))),
  );
  const scores = outcomes.map((outcome) => (outcome.ok ? outcome.value : null));
  const differences = images.map((_, i) => minus(scores[2 * i + 1], scores[2 * i]));
  return differences.slice(1).map((hidden, cell) => ({
    row: Math.floor(cell / grid.columns),
    column: cell % grid.columns,
    influence: minus(differences[0], hidden),
  }));
}

/** Splits two captions into words that both have and words that differ. A word's punctuation belongs to it. */
function align(caption: string, other: string): Segment[] {
  const [a, b] = [piecesOf(caption), piecesOf(other)];
  if (a.length > mostWords || b.length > mostWords) return [{ common: false, from: a, to: b }];
  const common = inCommon(a.map(trimmed), b.map(trimmed));
  const segments: Segment[] = [];
  let [i, j] = [0, 0];
  const differ = (): void => {
    const from = i;
    const to = j;
    while (i < a.length && !common.a[i]) i++;
    while (j < b.length && !common.b[j]) j++;
    if (i > from || j > to) segments.push({ common: false, from: a.slice(from, i), to: b.slice(to, j) });
  };
  differ();
  while (i < a.length) {
    segments.push({ common: true, from: [a[i++]], to: [b[j++]] });
    differ();
  }
  return segments;
}

const trimmed = (piece: string): string => piece.trim();

/** The words of a caption, each with the space before it and the marks around it. */
function piecesOf(caption: string): string[] {
  const units = wordsOf(caption);
  if (units.length === 0) return caption === '' ? [] : [caption];
  const pieces = units.map(({ to }, i) =>
    caption.slice(i === 0 ? 0 : units[i - 1].to, i + 1 === units.length ? caption.length : to),
  );
  // In a mixture, the first word may follow others. Scripts without spaces need none there.
  const [first, second = ' '] = pieces;
  return [/^\s/.test(second) ? ` ${first.trimStart()}` : first, ...pieces.slice(1)];
}

/** The text in which the changes that `applied` accepts have happened. */
function mixed(segments: readonly Segment[], applied: (segment: Segment) => boolean): string {
  return segments
    .flatMap((segment) => (!segment.common && applied(segment) ? segment.to : segment.from))
    .join('')
    .trim();
}
