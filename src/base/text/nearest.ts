import { say, type Words } from '../say';
import { characterDistance } from './levenshtein';

/** Longer names are not compared, because the distance takes time in proportion to the product of the lengths. */
const longest = 200;

/** The known name that is most like the given one. Undefined if none is close. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  if (given.length > longest) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    if (name.length > longest) continue;
    const distance = characterDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < (best?.distance ?? Math.max(given.length, name.length) / 3 + 1)) best = { name, distance };
  }
  return best?.name;
}

/** What to do about an unknown name: the name that was probably meant, and all known names. */
export function chooseFrom(given: string, known: Iterable<string>): Words | undefined {
  const names = [...new Set(known)];
  if (names.length === 0) return undefined;
  const all = say('base.chooseName', names.join(', '));
  const best = nearest(given, names);
  return best === undefined ? all : say('base.nearestName', best, all);
}
