/* Chooses the rows of a benchmark that a repaired copy leaves out. */
import { append } from '../../../base/lists';
import type { Steps } from '../../../base/turns/steps';
import { Corpus } from '../blind/corpus';
import { orderBlind } from '../ceilings';
import { faultsIn } from '../faults';
import type { Item } from '../items';
import { earlierLike } from '../similar';
import { unbalanced, type Unbalanced } from './balance';

/** In the order in which they apply. Balance is last, because any later removal would undo it. */
export const filters = [
  'missingImage',
  'equal',
  'contradiction',
  'duplicate',
  'similar',
  'long',
  'orderBlind',
  'balance',
] as const;

export type Filter = (typeof filters)[number];

/** The filters of faults beyond doubt. */
export const usualFilters: readonly Filter[] = ['equal', 'contradiction', 'duplicate'];

/** A row of the file, which stays or goes as a whole, and what its random order is seeded with. */
export interface Unit {
  items: readonly Item[];
  key: readonly string[];
}

export interface Removal {
  unit: number;
  filter: Filter;
  /** The first item at fault. */
  item: Item;
  /** The item that it repeats or contradicts. */
  partner?: Item;
  cells?: Omit<Unbalanced, 'unit'>;
}

interface Chosen {
  filters: readonly Filter[];
  seed: number;
  /** The images that were searched and not found. */
  missing?: ReadonlySet<string>;
}

/** The removed rows, each with the first filter that removes it. A row goes if any of its items is at fault. */
export function* removals(units: readonly Unit[], chosen: Chosen): Steps<Removal[]> {
  const removed: Removal[] = [];
  const gone = new Set<number>();
  let left = new Left(units, gone, chosen);
  for (const filter of filters.filter((own) => chosen.filters.includes(own))) {
    for (let isDone = false; !isDone;) {
      yield;
      const found =
        filter === 'balance' ? yield* unbalancedOf(left, chosen.seed) : yield* faultyIn(filter, left);
      if (found.removals.length > 0) {
        for (const { unit } of found.removals) gone.add(unit);
        append(removed, found.removals);
        left = new Left(units, gone, chosen);
      }
      isDone = !found.isSpared;
    }
  }
  return removed.sort((a, b) => a.unit - b.unit);
}

type Faults = ReadonlyMap<string, Uint8Array>;

/** The rows that are not removed yet, and what is wrong with them. */
class Left {
  readonly at: readonly number[];
  readonly items: readonly Item[];
  /** The row of each item. */
  readonly unitOf: readonly number[];
  private known: { corpus?: Corpus; faults?: Faults } = {};

  constructor(
    readonly units: readonly Unit[],
    gone: ReadonlySet<number>,
    private readonly chosen: Chosen,
  ) {
    this.at = [...units.keys()].filter((unit) => !gone.has(unit));
    this.items = this.at.flatMap((unit) => units[unit].items);
    this.unitOf = this.at.flatMap((unit) => units[unit].items.map(() => unit));
  }

  get corpus(): Corpus {
    return (this.known.corpus ??= new Corpus(this.items, this.chosen.seed));
  }

  *faults(): Steps<Faults> {
    return (this.known.faults ??= yield* faultsIn(this.corpus, { missing: this.chosen.missing }));
  }
}

interface Found {
  removals: Removal[];
  /** Whether a row stays only because the rows that it is like go. It may be like a row that stays. */
  isSpared: boolean;
}

function* unbalancedOf({ units, at, items, unitOf }: Left, seed: number): Steps<Found> {
  const place = new Map(at.map((unit, i) => [unit, i]));
  const found = yield* unbalanced(items, {
    unitOf: unitOf.map((unit) => place.get(unit)!),
    keys: at.map((unit) => units[unit].key),
    seed,
  });
  return {
    removals: found.map(({ unit: i, ...cells }) => {
      const unit = at[i];
      return { unit, filter: 'balance', item: units[unit].items[0], cells };
    }),
    isSpared: false,
  };
}

function* faultyIn(filter: Exclude<Filter, 'balance'>, left: Left): Steps<Found> {
  const { items, unitOf } = left;
  const { isAtFault, partnerOf } = yield* faultOf(filter, left);
  const gone = new Map<number, Removal>();
  let isSpared = false;
  for (const [i, item] of items.entries()) {
    const unit = unitOf[i];
    if (!isAtFault(i) || gone.has(unit)) continue;
    const other = partnerOf?.(i);
    if (filter === 'duplicate' || filter === 'similar') {
      if (other === undefined || unitOf[other] === unit) continue;
      if (gone.has(unitOf[other])) {
        isSpared = true;
        continue;
      }
    }
    gone.set(unit, { unit, filter, item, ...(other === undefined ? {} : { partner: items[other] }) });
  }
  return { removals: [...gone.values()], isSpared };
}

interface FaultOf {
  isAtFault: (item: number) => boolean;
  /** The item that an item at fault repeats or contradicts. */
  partnerOf?: (item: number) => number | undefined;
}

function* faultOf(filter: Exclude<Filter, 'balance'>, left: Left): Steps<FaultOf> {
  if (filter === 'orderBlind') {
    const { shares } = orderBlind(left.items);
    return { isAtFault: (i) => shares[i] === 1 };
  }
  if (filter === 'similar') {
    const like = yield* earlierLike(left.corpus, left.unitOf);
    return { isAtFault: (i) => like[i] >= 0, partnerOf: (i) => like[i] };
  }
  const flags = (yield* left.faults()).get(filter);
  const isAtFault = (i: number): boolean => flags?.[i] === 1;
  if (filter === 'duplicate') return { isAtFault, partnerOf: earlierEqual(left.corpus) };
  return filter === 'contradiction' ? { isAtFault, partnerOf: contradicting(left.corpus) } : { isAtFault };
}

/** The first item with the same captions of which the same is right, if possible of the same image. */
function earlierEqual({ items, options }: Corpus): (item: number) => number | undefined {
  const keysOf = (i: number): string[] => {
    const { right, seen } = items[i];
    const captions = JSON.stringify([options.at(i)[right], [...options.at(i)].sort()]);
    return [`${seen ?? ''} ${captions}`, captions];
  };
  const first = new Map<string, number>();
  for (const i of items.keys()) for (const key of keysOf(i)) if (!first.has(key)) first.set(key, i);
  return (i) =>
    keysOf(i)
      .map((key) => first.get(key)!)
      .find((other) => other < i);
}

/** The first item of the image in which a caption of this item has the other role. */
function contradicting({ items, options }: Corpus): (item: number) => number | undefined {
  const first = new Map<string, number>();
  const each = (i: number, visit: (key: string, other: string) => void): void => {
    const { seen = '', right } = items[i];
    for (const [c, text] of options.at(i).entries()) {
      const [own, other] = c === right ? ['right', 'wrong'] : ['wrong', 'right'];
      visit(`${own} ${text} ${seen}`, `${other} ${text} ${seen}`);
    }
  };
  for (const i of items.keys())
    each(i, (key) => {
      if (!first.has(key)) first.set(key, i);
    });
  return (i) => {
    let found: number | undefined;
    each(i, (_, other) => (found ??= first.get(other)));
    return found;
  };
}
