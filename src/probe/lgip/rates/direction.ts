/** Whether a flip of a number names more or fewer, because a text alone may favour one of both. */
import { languages } from '../../../perturb/text/multilingual/rules';
import { paperVocabulary } from '../../../perturb/text/vocabulary';
import type { Slice } from '../../metric';
import type { LgipVariant } from '../row';

export const directions = ['larger', 'smaller'] as const;

type Direction = (typeof directions)[number];

export function directionSlice(direction: Direction): Slice {
  return { flip: 'number', direction };
}

const lists = [paperVocabulary.number, ...Object.values(languages).map(({ numbers }) => numbers)];

/** Undefined if the flip does not replace a number by another one of the same list. The noun may change, too ("one dog"). */
export function directionOf(caption: string, { text, was, span }: LgipVariant): Direction | undefined {
  const [before, after] = [caption.slice(...was), text.slice(...span)].map(wordsOf);
  for (const list of lists) {
    const [from, to] = [before, after].map((words) =>
      words.map((word) => list.indexOf(word)).find((i) => i >= 0),
    );
    if (from !== undefined && to !== undefined && from !== to) return to > from ? 'larger' : 'smaller';
  }
  return undefined;
}

/** The first replaced word, whose own effect on the score all images with it share. */
export function replacedWord(caption: string, { was }: LgipVariant): string {
  return wordsOf(caption.slice(...was))[0] ?? '';
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}
