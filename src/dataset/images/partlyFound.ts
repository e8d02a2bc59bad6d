import { say, type Words } from '../../base/say';
import { KeySet } from '../ids';

/** The images that were found by less than the whole path of their names. */
export interface PartlyFound {
  /** The number of distinct names. */
  count: number;
  /** The alphabetically first of them, which do not depend on the order of reading. */
  first: { name: string; file: string }[];
}

const mostShown = 5;

/** Counts images by distinct names. */
export class PartlyCounter implements PartlyFound {
  count = 0;
  first: PartlyFound['first'] = [];
  private readonly counted = new KeySet();

  add(name: string, file: string): void {
    if (!this.counted.add(name)) return;
    this.count++;
    this.first = firstOf([...this.first, { name, file }]);
  }
}

export function joinPartly(all: readonly PartlyFound[]): PartlyFound {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    first: firstOf(all.flatMap(({ first }) => first)),
  };
}

/** Several counters as one, whose values are those of the counters when they are read. */
export function partlyTogether(all: readonly PartlyFound[]): PartlyFound {
  return {
    get count() {
      return joinPartly(all).count;
    },
    get first() {
      return joinPartly(all).first;
    },
  };
}

function firstOf(all: PartlyFound['first']): PartlyFound['first'] {
  return all.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, mostShown);
}

/** The images as a field of a result; no field if there are none. */
export function partlyField(found: PartlyFound): { partly?: PartlyFound } {
  return found.count === 0 ? {} : { partly: joinPartly([found]) };
}

export function partlyWords({ count, first: [{ name, file }] }: PartlyFound): Words {
  return say('dataset.imagesPartlyMatched', count, name, file);
}
