/** Compares the variants of each family, and the words of a family also before persons and before things. */
import { append } from '../../../base/lists';
import { allOf, type Steps } from '../../../base/turns/steps';
import type { Metric } from '../../metric';
import type { Cell } from '../cell';
import type { Ordered } from '../display/order';
import { contrastMetrics, contrastSizes } from './contrasts';

export interface Keyed extends Ordered {
  cell: Cell;
}

export const objectKinds = ['person', 'non-person'] as const;

export function* familyContrasts(sorted: readonly Keyed[]): Steps<Metric[]> {
  const named = sorted.filter(({ variant }) => variant !== '');
  const nameOf = ({ axis, family }: Keyed): string => `${axis}.${family}`;
  const main = named.filter(({ slice }) => slice === undefined);
  return yield* allOf([...new Set(main.map(nameOf))], function* (name): Steps<Metric[]> {
    const groups = (of: readonly Keyed[]) =>
      of.filter((one) => nameOf(one) === name).map(({ variant, cell }) => ({ name: variant, cell }));
    const isOfWords = name.startsWith('societal.') && name !== 'societal.neutral';
    const metrics = yield* contrastMetrics(`invariance.${name}`, groups(main), isOfWords);
    for (const object of isOfWords ? objectKinds : []) {
      const own = groups(named.filter(({ slice }) => slice?.object === object));
      append(metrics, yield* contrastSizes(`invariance.${name}`, own, { object }));
    }
    return metrics;
  });
}
