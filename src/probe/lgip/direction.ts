/** Whether a flip of a number names more or fewer, because a text alone may favour one of both. */
import { languages } from '../../perturb/text/multilingual/rules';
import { paperVocabulary } from '../../perturb/text/vocabulary';
import type { Slice } from '../metric';
import type { LgipVariant } from './row';

export const directions = ['larger', 'smaller'] as const;

type Direction = (typeof directions)[number];

export function directionSlice(direction: Direction): Slice {
  return { flip: 'number', direction };
}

const lists = [paperVocabulary.number, ...Object.values(languages).map(({ numbers }) => numbers)];

/** Undefined if the flip does not replace a number by another one of the same list. */
export function directionOf(caption: string, { text, was, span }: LgipVariant): Direction | undefined {
  const [before, after] = [caption.slice(...was), text.slice(...span)].map((word) => word.toLowerCase());
  for (const list of lists) {
    const [from, to] = [list.indexOf(before), list.indexOf(after)];
    if (from >= 0 && to >= 0 && from !== to) return to > from ? 'larger' : 'smaller';
  }
  return undefined;
}
