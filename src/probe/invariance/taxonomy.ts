import { largest } from '../../base/extent';
import { categories, type Category } from './row';
import tables from './taxonomy.json';

export interface Placed {
  category: Category;
  /** Whether other vocabularies give the label another category as often. Then the first in file order. */
  tied: boolean;
}

const votes = new Map<string, Category[]>();
for (const table of Object.values(tables)) {
  for (const category of categories) {
    for (const label of table[category].split(', ')) {
      votes.set(label, [...(votes.get(label) ?? []), category]);
    }
  }
}

/** The most frequent category of a label in COCO, Open Images and Objects365; undefined if in none. */
export function categoryOf(label: string): Placed | undefined {
  const own = votes.get(label.trim().toLowerCase());
  if (own === undefined) return undefined;
  const times = (category: Category): number => own.filter((vote) => vote === category).length;
  const most = largest(own.map(times));
  const leading = [...new Set(own.filter((vote) => times(vote) === most))];
  return { category: leading[0], tied: leading.length > 1 };
}

/** Labels with several equally frequent categories. */
export function tiedLabels(): { label: string; between: Category[] }[] {
  return [...votes.keys()].flatMap((label) =>
    categoryOf(label)?.tied === true ? [{ label, between: [...new Set(votes.get(label))] }] : [],
  );
}
