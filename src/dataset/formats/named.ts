import { inARow, type Words } from '../../base/say';

/** The title of a benchmark's format: its name, which is not translated, and what an entry holds. */
export function named(benchmark: string, entry: Words): Words {
  return inARow([benchmark, entry], ', ');
}
