/** Groups words by their frequency in COCO captions. */
import { contentOf, frequencyOf } from './fit';

/** Occurrences in 25,010 COCO captions. For words with fewer than 4, the number is 0. */
export const frequencyBands = [
  { name: 'under 4', below: 4 },
  { name: '4 to 39', below: 40 },
  { name: '40 or more', below: Infinity },
];

export function frequencyBand(occurrences: number): string {
  return frequencyBands.find(({ below }) => occurrences < below)!.name;
}

/** The band of the rarest content word that a changed text adds, or else of the original's rarest. */
export function rarestBand(changed: string, original: string): string {
  const known = new Set(contentOf(original).map(({ word }) => word));
  const added = contentOf(changed).filter(({ word }) => !known.has(word));
  const words = added.length > 0 ? added.map(({ word }) => word) : [...known];
  if (words.length === 0) return 'no content word';
  return frequencyBand(words.reduce((least, word) => Math.min(least, frequencyOf(word)), Infinity));
}
