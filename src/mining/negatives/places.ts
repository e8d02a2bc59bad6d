import { nounPhraseAt } from '../../perturb/text/analysis';
import { isNoun } from '../../perturb/text/tags';
import type { Token } from '../../perturb/text/token';
import { conceptOf, isListed } from '../../perturb/words/concepts';
import { singular } from '../../perturb/words/number';
import { put } from '../../perturb/words/replace';
import type { Candidate } from '../../protocol/triplets';
import things from './things.json';

/** Places that exclude "next to", with the things that have such a place. Longer words come first. */
const places: readonly (readonly [words: readonly string[], things: ReadonlySet<string>])[] = [
  [['on', 'top', 'of'], set(things.besides.on)],
  [['on'], set(`${things.besides.on} ${things.besides.ridden}`)],
  [['inside'], set(things.besides.in)],
  [['in'], set(things.besides.in)],
  [['underneath'], set(things.besides.under)],
  [['under'], set(things.besides.under)],
  [['beneath'], set(things.besides.under)],
];

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** What can be moved from a thing to the place beside it. */
const movable =
  /^(person|animal|bird|food|drink|household|electronics|vehicle|toy|accessory|instrument|furniture)$/;
/** Verbs of a posture or a place, which fit "next to", too. */
const staying =
  /^(is|are|sits?|sitting|seated|stands?|standing|lies?|lying|lays?|laying|rests?|resting|sleeps?|sleeping|perched|parked|placed|displayed|situated)$/;
/** Words that say the same place again, or that the new place would contradict. */
const alsoSays = /^(next|beside|near|by|close|far|riding|rides|ride|driving|drives|covered|inside|it|them)$/;

/** Moves a thing beside its place: "a cat on a bed" → "a cat next to a bed", VISLA's most frequent kind. */
export function otherPlaces(caption: string, tokens: readonly Token[]): Candidate[] {
  if (tokens.some(({ lower }) => alsoSays.test(lower))) return [];
  const made: Candidate[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const place = places.find(([words]) => words.every((word, i) => tokens[at + i]?.lower === word));
    if (place === undefined) continue;
    const [words, holders] = place;
    const last = tokens[at + words.length - 1];
    if (isMovedBy(tokens, at) && isHolder(tokens, at + words.length, holders))
      made.push({
        text: put(caption, { ...tokens[at], end: last.end }, 'next to', false).text,
        from: 'place',
      });
    at += words.length - 1;
  }
  return made;
}

/** Whether a movable thing, or its posture, is directly before the preposition. */
function isMovedBy(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (staying.test(before.lower)) return isThingIn(tokens.slice(0, at - 1));
  return isNoun(before) && movable.test(conceptOf(singular(before.lower, isListed)) ?? '');
}

function isThingIn(tokens: readonly Token[]): boolean {
  const noun = tokens.findLast(isNoun);
  return noun !== undefined && movable.test(conceptOf(singular(noun.lower, isListed)) ?? '');
}

/** Whether the phrase names one of the things, without an owner, a part ("of") or a second thing ("and"). */
function isHolder(tokens: readonly Token[], from: number, holders: ReadonlySet<string>): boolean {
  const phrase = nounPhraseAt(tokens, from);
  if (phrase === undefined) return false;
  const inside = tokens.slice(from, phrase.to);
  const after = tokens.at(phrase.to);
  const holder = singular(phrase.head.lower, isListed);
  return (
    holders.has(holder) &&
    tokens.filter(({ lower }) => singular(lower, isListed) === holder).length === 1 &&
    inside.every(
      ({ lower, pos }) => pos !== 'PRON' && !/^(his|her|their|its|each|other|another)$/.test(lower),
    ) &&
    after?.pos !== 'VERB' &&
    !/^(of|and|or|,|&|on|in)$/.test(after?.lower ?? '')
  );
}
