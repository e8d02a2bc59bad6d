/*
 * Adversarial refinement, as SugarCrepe's authors do it. The gaps between the scores of the right and the wrong caption
 * are points of a grid on [-1, 1]. Opposite cells keep equally many examples, so that the sign of a gap tells nothing.
 */
import { Random } from '../../../base/random';
import type { Steps } from '../../../base/turns/steps';
import { lengthOf } from '../blind/baselines';
import { Corpus } from '../blind/corpus';
import { frequency, languageModel } from '../blind/counted';
import type { Item } from '../items';
import { addTo } from '../../../base/lists';

/** The scores whose gaps are balanced. Words in a caption, and two models of words that are fitted on other folds. */
export const balanced = ['length', 'frequency', 'lm'] as const;

/**
 * Cells on each side of 0. SugarCrepe's authors have 50 for two scores, which leave fewer examples. With several items in an
 * example, only the signs count, because each example would have cells of its own.
 */
export const cellsPerSide = (hasSeveral: boolean): number => (hasSeveral ? 1 : 20);

/** The cells of an example's items: for each item the cell of each gap, 0 for no gap, and -3 opposite of 3. */
export type Cells = readonly (readonly number[])[];

export interface Unbalanced {
  unit: number;
  /** The gaps of each item, and their cells. */
  gaps: Cells;
  cells: Cells;
  /** The numbers of examples in this cell and in the opposite one. */
  own: number;
  opposite: number;
}

/** The gap of each item: the score of its right caption minus that of its wrong one. */
function* gapsOf(items: readonly Item[], seed: number): Steps<readonly Float64Array[]> {
  const corpus = new Corpus(items, seed);
  yield;
  const scores = [(text: number) => lengthOf(corpus.texts[text]), frequency(corpus), languageModel(corpus)];
  yield;
  return scores.map((score) =>
    Float64Array.from(items, ({ right }, i) => {
      const [own, other] = [right, 1 - right].map((c) => score(corpus.options.at(i)[c], corpus.folds[i]));
      return own - other;
    }),
  );
}

/**
 * The examples to remove. `unitOf` is the example of each item, and `keys` are what each example's random order is seeded
 * with. Items must have two captions.
 */
export function* unbalanced(
  items: readonly Item[],
  { unitOf, keys, seed }: { unitOf: readonly number[]; keys: readonly (readonly string[])[]; seed: number },
): Steps<Unbalanced[]> {
  const gapsBy = yield* gapsOf(items, seed);
  const perSide = cellsPerSide(items.length > keys.length);
  const cellOf = gapsBy.map((gaps) => {
    const largest = gaps.reduce((most, gap) => Math.max(most, Math.abs(gap)), 0);
    return (i: number): number => {
      const size = Math.abs(gaps[i]) / largest;
      return gaps[i] === 0 ? 0 : Math.sign(gaps[i]) * Math.min(perSide, 1 + Math.floor(size * perSide));
    };
  });
  yield;
  const [units, gapsOfUnit] = [0, 1].map(() => keys.map((): number[][] => []));
  for (const [i, unit] of unitOf.entries()) {
    units[unit].push(cellOf.map((of) => of(i)));
    gapsOfUnit[unit].push(gapsBy.map((gaps) => gaps[i]));
  }
  yield;
  return surplus(units, keys, seed).map((one) => ({ ...one, gaps: gapsOfUnit[one.unit] }));
}

/** The examples that have no partner in the opposite cell, drawn at random from those of their cell. */
export function surplus(
  units: readonly Cells[],
  keys: readonly (readonly string[])[],
  seed: number,
): Omit<Unbalanced, 'gaps'>[] {
  const groups = new Map<string, number[]>();
  for (const [unit, cells] of units.entries()) {
    const key = keyOf(cells);
    addTo(groups, key, unit);
  }
  const removed: Omit<Unbalanced, 'gaps'>[] = [];
  for (const [key, group] of groups) {
    const cells = units[group[0]];
    const other = keyOf(cells.map((own) => own.map((cell) => -cell)));
    const opposite = other === key ? group.length : (groups.get(other)?.length ?? 0);
    if (group.length <= opposite) continue;
    const drawn = group
      .map((unit) => ({ unit, at: new Random(seed, ...keys[unit], 'benchmark balance').uniform() }))
      .sort((a, b) => a.at - b.at || a.unit - b.unit);
    for (const { unit } of drawn.slice(opposite))
      removed.push({ unit, cells: units[unit], own: group.length, opposite });
  }
  return removed.sort((a, b) => a.unit - b.unit);
}

/** The order of an example's items does not matter. `+ 0` because -0 is 0. */
function keyOf(cells: Cells): string {
  return cells
    .map((own) => own.map((cell) => cell + 0).join())
    .sort()
    .join(' ');
}
