import { type Family, meanOf, type Pair } from './figures';
import type { PrsmOptions } from './options';
import type { QueryRow } from './row';
import { comparisons } from './wordings';

/** A query's row. `firsts` has the names of the first images for each wording. */
export function rowOf(
  { query, labels }: Family,
  pairs: ReadonlyMap<string, Pair>,
  firsts: readonly (readonly string[])[],
  asked: readonly number[],
  { sets, weight }: Pick<PrsmOptions, 'sets' | 'weight'>,
): QueryRow {
  const { example, text, wordings, caption, occurrences, clusterName } = query;
  const all = [...pairs.values()].map(({ row }) => row);
  const moved = sets.flatMap((set) => {
    const [against, ...others] = comparisons[set].at(-1)!.split('-');
    const base = firsts.at(labels.indexOf(against));
    if (!labels.includes(against) || base === undefined) return [];
    return others
      .filter((label) => labels.includes(label))
      .map((label) => {
        const own = firsts[labels.indexOf(label)];
        return {
          label,
          against,
          entered: own.filter((name) => !base.includes(name)),
          left: base.filter((name) => !own.includes(name)),
        };
      });
  });
  return {
    kind: 'query',
    example: example.id,
    row: example.row,
    place: example.captions[caption].place ?? example.place,
    image: example.images.at(0)?.name,
    ...(clusterName === undefined ? {} : { cluster: clusterName }),
    ...(occurrences.length > 1 ? { occurrences: occurrences.length } : {}),
    ...(occurrences.length > 1 && weight === 'occurrences' ? { weight: occurrences.length } : {}),
    caption: text,
    wordings: labels.map((label, w) => ({ label, text: wordings.get(label)!, first: [...firsts[w]] })),
    pairs: all,
    moved,
    global: meanOf(all.map(({ rho }) => rho)),
    listwise: meanOf(all.map(({ listwise }) => listwise)),
    local: Object.fromEntries(asked.map((size) => [size, meanOf(all.map(({ shared }) => shared[size]))!])),
  };
}
