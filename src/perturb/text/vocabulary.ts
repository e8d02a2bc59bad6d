import type { FlipType } from './variant';

/** The paper's word lists (appendix A.2) in order: 11 colours, 5 numbers, 11 objects. */
export const paperVocabulary: Record<FlipType, readonly string[]> = {
  color: ['red', 'blue', 'green', 'yellow', 'black', 'white', 'brown', 'gray', 'orange', 'pink', 'purple'],
  number: ['one', 'two', 'three', 'four', 'five'],
  object: ['dog', 'cat', 'horse', 'car', 'bus', 'train', 'person', 'bird', 'boat', 'bicycle', 'truck'],
};

/** Matches whole words. Unlike \b, it treats letters outside ASCII and combining marks as parts of words. */
export function wholeWord(words: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{M}\\p{N}_])`, `u${flags}`);
}
