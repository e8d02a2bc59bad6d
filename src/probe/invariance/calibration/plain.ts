import type { Steps } from '../../../base/turns/steps';
import { median } from '../../../stats/summary';
import type { PlainFigures } from './calibration';
import { changeOfTotal } from './changeOfTotal';

/** The size of a score's change between an image file and its changed copy, before and after calibration. */
export interface PlainPair {
  family: string;
  image: string;
  before: number;
  after: number;
}

/** The median size of the changes by family, and their sum with the interval of its change. */
export function* plainFigures(pairs: readonly PlainPair[]): Steps<PlainFigures> {
  const families = [...new Set(pairs.map(({ family }) => family))].sort().map((family) => {
    const own = pairs.filter((pair) => pair.family === family);
    return {
      ...{ family, axis: 'spatial' as const, n: own.length },
      before: median(own.map(({ before }) => before)),
      after: median(own.map(({ after }) => after)),
    };
  });
  const ci = yield* changeOfTotal({
    families: pairs.map(({ family }) => family),
    images: pairs.map(({ image }) => image),
    before: Float64Array.from(pairs, ({ before }) => before),
    after: Float64Array.from(pairs, ({ after }) => after),
  });
  const sum = (of: 'before' | 'after'): number => families.reduce((total, one) => total + one[of], 0);
  return {
    images: new Set(pairs.map(({ image }) => image)).size,
    families,
    total: { before: sum('before'), after: sum('after'), ...(ci === undefined ? {} : { ci }) },
  };
}
