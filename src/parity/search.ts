import { variance } from '../stats/summary';
import { type Measurer, type Parts, partsOf } from './measurer';
import type { Change, Tower, ScoreChange } from './change';

/** A change must at least halve what remains of the squared difference, or it explains less than it leaves. */
const leastFactor = 2;
/** How many changes of one tower are tried together with each other one. */
const lookAhead = 3;
const mostSteps = 6;
/** A step changes one setting of each tower, or two of one tower and one of another. */
const mostTogether = 3;

/** The mean squared difference from B, alone with one change. */
export interface Alone {
  change: Change;
  left: number;
}

export interface Found {
  causes: Change[];
  alone: Alone[];
}

interface Option {
  changes: readonly Change[];
  /** How many changes it differs by from the present ones. */
  steps: number;
}

const towers: readonly Tower[] = ['image', 'text', 'score'];

/**
 * Searches the fewest changes of A that give the scores of B. A step may combine one change of each tower, because the
 * embeddings of a tower do not depend on the changes of the others.
 */
export class Search {
  /** Above this, a fitted scale only gives the mean of B's scores, as it could for any scores. */
  private readonly mostFitted: number;

  constructor(
    private readonly measurer: Measurer,
    private readonly changes: readonly Change[],
    private readonly count: number,
    /** A mean squared difference that rounding can cause. */
    private readonly rounding: number,
  ) {
    this.mostFitted = variance(measurer.target.slice(0, count), 0) / leastFactor;
  }

  async run(): Promise<Found> {
    const alone: Alone[] = [];
    for (const change of this.changes) {
      const left = await this.left([change]);
      if (left !== undefined) alone.push({ change, left });
    }
    alone.sort((a, b) => weighed(a.left, [a.change]) - weighed(b.left, [b.change]));
    let causes: readonly Change[] = [];
    for (let step = 0; step < mostSteps; step++) {
      const before = (await this.left(causes))!;
      // A monotone function of these scores leaves only what its interpolation adds.
      if (before <= this.rounding || causes.some(({ score }) => score?.kind === 'monotone')) break;
      const next = (await this.step(causes, before, false)) ?? (await this.step(causes, before, true));
      if (next === undefined) break;
      causes = next;
    }
    return { causes: await this.needed(causes), alone };
  }

  /** The best next changes, or undefined if none removes more of the difference than it leaves. */
  private async step(
    causes: readonly Change[],
    before: number,
    isFurther: boolean,
  ): Promise<readonly Change[] | undefined> {
    const [images, texts, scores] = await Promise.all(
      towers.map((tower) => this.options(tower, causes, isFurther)),
    );
    const best = new Map<number, { left: number; weighed: number; changes: readonly Change[] }>();
    for (const image of images)
      for (const text of texts) {
        if (image.steps + text.steps > mostTogether) continue;
        for (const score of scores) {
          const steps = image.steps + text.steps + score.steps;
          if (steps === 0 || steps > mostTogether) continue;
          const parts = { image: image.changes, text: text.changes, score: score.changes };
          const left = await this.leftOf(parts);
          if (left === undefined || (left > this.mostFitted && parts.score.some(isScale))) continue;
          const weight = weighed(Math.max(left, this.rounding), parts.score);
          const known = best.get(steps);
          if (known === undefined || weight < known.weighed)
            best.set(steps, { left, weighed: weight, changes: Object.values(parts).flat() });
        }
      }
    let [found, limit, taken]: [readonly Change[] | undefined, number, number] = [undefined, before, 0];
    for (const [steps, { left, changes }] of [...best].sort(([a], [b]) => a - b)) {
      if (limit <= this.rounding || left > limit / leastFactor ** (steps - taken)) continue;
      [found, limit, taken] = [changes, left, steps];
    }
    return found;
  }

  /** The present changes of a tower, and those with one changed, added or removed; `isFurther`: with two. */
  private async options(tower: Tower, causes: readonly Change[], isFurther: boolean): Promise<Option[]> {
    const own = causes.filter((change) => change.tower === tower);
    const other = this.changes.filter((change) => change.tower === tower && !own.includes(change));
    const removed = own.map((change): Option => ({ changes: own.filter((one) => one !== change), steps: 1 }));
    const singles = other.map((change): Option => ({ changes: replaced(own, change), steps: 1 }));
    const options = [{ changes: own, steps: 0 }, ...removed, ...singles];
    if (!isFurther) return options;
    const ranked: { changes: readonly Change[]; left: number }[] = [];
    const rest = causes.filter((change) => change.tower !== tower);
    for (const { changes } of singles)
      ranked.push({ changes, left: (await this.left([...changes, ...rest])) ?? Infinity });
    ranked.sort((a, b) => a.left - b.left);
    // A changed side of truncation may show only with another limit.
    const isFirst = (at: number, changes: readonly Change[]): boolean =>
      at < lookAhead || changes.some((change) => change.setting === 'truncation' && !own.includes(change));
    const pairs = ranked
      .filter(({ changes }, at) => isFirst(at, changes))
      .flatMap(({ changes }) =>
        other
          .filter((change) => !changes.includes(change))
          .map((change): Option => ({ changes: replaced(changes, change), steps: 2 })),
      );
    return [...options, ...pairs];
  }

  /** The causes without which at least twice as much remains, with the simplest scale. */
  private async needed(causes: readonly Change[]): Promise<Change[]> {
    let kept = [...causes];
    const scale = causes.find(isScale);
    const simpler = this.changes.filter(
      (one) => scale && isScale(one) && weighed(1, [one]) < weighed(1, [scale]),
    );
    for (const other of simpler.sort((a, b) => weighed(1, [b]) - weighed(1, [a]))) {
      const left = await this.left(replaced(causes, other));
      if (left! <= leastFactor * Math.max((await this.left(kept))!, this.rounding))
        kept = replaced(causes, other);
    }
    for (const change of [...kept]) {
      const without = kept.filter((one) => one !== change);
      const [all, rest] = [await this.left(kept), await this.left(without)];
      if (rest !== undefined && rest <= leastFactor * Math.max(all!, this.rounding)) kept = without;
    }
    return kept;
  }

  private async left(changes: readonly Change[]): Promise<number | undefined> {
    return this.leftOf(partsOf(changes));
  }

  private async leftOf(parts: Parts): Promise<number | undefined> {
    const scored = await this.measurer.scoresOf(parts, this.count);
    if (scored === undefined || scored.isMonotone === false) return undefined;
    return squared(scored.scores, this.measurer.target, 0, this.count);
  }
}

/** The mean squared difference of the pairs from `from` to before `to`. */
export function squared(a: ArrayLike<number>, b: ArrayLike<number>, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += (a[i] - b[i]) ** 2;
  return total / (to - from);
}

/** Factors for the numbers that a scale is fitted with. */
const fits: Partial<Record<ScoreChange['kind'], number>> = {
  factor: 1.5,
  clipped: 1.6,
  affine: 2.5,
  sigmoid: 2.5,
  monotone: 4,
};

/** What remains, times a factor for each fitted number, because a fit removes some of any difference. */
function weighed(left: number, changes: readonly Change[]): number {
  return changes.reduce((product, { score }) => product * ((score && fits[score.kind]) ?? 1), left);
}

function isScale({ setting }: Change): boolean {
  return setting === 'scale';
}

function replaced(own: readonly Change[], change: Change): Change[] {
  return [...own.filter(({ setting }) => setting !== change.setting), change];
}
