/* Where and how strongly the words of a caption are marked in a text. Knows no editor. */
import { largest } from '../../base/extent';
import { findWhole } from '../text/captionPlace';

export interface ShadedWord {
  start: number;
  end: number;
  influence: number;
  /** Whether the word raises or lowers the score. */
  raises: boolean;
  /** Whether it has at least a third of the largest influence of its caption. */
  strong: boolean;
}

/** Words with less than this share of the largest influence are not marked. */
const least = 0.05;
const strongFrom = 1 / 3;

/**
 * The words of a caption in a source that contains it, as offsets in the source. A caption that is escaped there is
 * searched word by word. Words that are not found as they are have no mark.
 */
export function shadesIn(
  source: string,
  from: number,
  caption: string,
  words: readonly { start: number; end: number; influence: number | null }[],
): ShadedWord[] {
  const place = findWhole(source, caption, from);
  if (place === undefined) return [];
  const written = source.slice(place.start, place.end);
  const strongest = largest([0, ...words.map(({ influence }) => Math.abs(influence ?? 0))]);
  const shades: ShadedWord[] = [];
  let at = 0;
  for (const { start, end, influence } of words) {
    const word = caption.slice(start, end);
    const found = written === caption ? start : written.indexOf(word, at);
    if (found < 0) continue;
    at = found + word.length;
    if (influence === null || Math.abs(influence) <= least * strongest) continue;
    shades.push({
      ...{ start: place.start + found, end: place.start + at, influence },
      raises: influence > 0,
      strong: Math.abs(influence) >= strongFrom * strongest,
    });
  }
  return shades;
}
