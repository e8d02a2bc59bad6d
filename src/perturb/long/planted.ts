/* Plants one error in a caption of many sentences. */
import type { Random } from '../../base/random';
import { cleanFlip } from '../text/flip/cleanFlip';
import type { RandomFor } from '../text/flip/flip';
import { relation, twoFronts } from '../text/flip/relationFlip';
import { tag } from '../text/tagger';
import { flipTypes, type Span, type TextVariant } from '../text/variant';
import { isListed } from '../words/concepts';
import { plural, singular } from '../words/number';
import { mayBeTrue } from './doubtful';
import { errorKinds, type ErrorKind } from './kinds';
import { sideFlip } from './sides';

/** A caption with one error. Offsets are in UTF-16 units. */
export interface Planted {
  kind: ErrorKind;
  text: string;
  /** The new words in `text`, and the words that they replace in the caption. */
  span: Span;
  was: Span;
  /** The number of words before the error, divided by the number of words of the caption. */
  position: number;
  /** From 1 to 10. */
  decile: number;
}

/** A flip may be true of the image if its first new word is. Then other words are tried, in other random orders. */
const attempts = 4;

/**
 * All errors that the rules can plant: in each sentence, at most one of each kind. A new word that any caption of the
 * image contains may be true of the image, so it makes no error.
 */
export function plantedErrors(
  caption: string,
  sentences: readonly Span[],
  captions: readonly string[],
  randomFor: RandomFor,
): Planted[] {
  const said = new Set(captions.flatMap(wordsOf));
  const all = captions.join('\n').toLowerCase();
  const words = wordStarts(caption);
  const isCountOpen = captions.some((text) => vague.test(text));
  return sentences.flatMap(([from, to], nth) => {
    const sentence = caption.slice(from, to);
    const tokens = tag(sentence);
    if (tokens === undefined) return [];
    const isFalse = (made: TextVariant): boolean =>
      wordsOf(made.text.slice(...made.span)).every(
        (word) => word === 'a' || word === 'an' || !said.has(word),
      ) && !mayBeTrue(made, sentence, all);
    const flips = flipTypes.flatMap((type): TextVariant[] => {
      if (type === 'number' && isCountOpen) return [];
      for (let attempt = 0; attempt < attempts; attempt++) {
        const own = (purpose: string): Random => randomFor(`${purpose} ${nth} ${attempt}`);
        const made = cleanFlip(sentence, tokens, type, own);
        if (made === undefined) return [];
        if (isFalse(made)) return [made];
      }
      return [];
    });
    const others = sentences.filter((_, at) => at !== nth).map((span) => caption.slice(...span));
    const related =
      sideFlip(sentence, others) ??
      relation(sentence, tokens).find((made) => hasFront(sentence, made) && !mayBeTrue(made, sentence, all));
    return [...flips, ...(related === undefined ? [] : [related])].map((made): Planted => {
      const { text, span, was } = made;
      const start = from + was[0];
      const before = words.filter((at) => at < start).length;
      const position = before / words.length;
      return {
        kind: made.kind as ErrorKind,
        text: caption.slice(0, from) + text + caption.slice(to),
        span: [from + span[0], from + span[1]],
        was: [start, from + was[1]],
        position,
        decile: Math.min(10, Math.floor(10 * position) + 1),
      };
    });
  });
}

/** Words for a number of things that is not stated. Another number may be true of the image then. */
const vague =
  /\b(?:groups?|several|many|numerous|crowds?|herds?|flocks?|number of|lots?|various|multiple|bunch|some|few|row|rows|dozens?)\b/i;

/** Whether both sides of "behind" differ: "behind a laptop" and "in front of a laptop" may be the same place. */
function hasFront(sentence: string, { was }: TextVariant): boolean {
  if (sentence.slice(...was).toLowerCase() !== 'behind') return true;
  const after =
    sentence
      .slice(was[1])
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return !after.slice(0, 4).some((word) => twoFronts.has(word));
}

/** The words in lower case, each also in the singular and in the plural. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => [
    word,
    singular(word, isListed),
    plural(word),
  ]);
}

/** Where the words of a text start: runs of characters without spaces. */
function wordStarts(text: string): number[] {
  return Array.from(text.matchAll(/\S+/gu), ({ index }) => index);
}

/** At most one error per kind and tenth of the caption, `most` in all, in as many tenths as possible. */
export function chosenErrors(errors: readonly Planted[], most: number, random: Random): Planted[] {
  const cells = new Map<string, Planted>();
  for (const error of random.shuffle(errors)) {
    const cell = `${error.decile} ${error.kind}`;
    if (!cells.has(cell)) cells.set(cell, error);
  }
  const rest = [...cells.values()];
  const chosen: Planted[] = [];
  const taken = new Map<string, number>();
  const count = (key: string): number => taken.get(key) ?? 0;
  while (chosen.length < most && rest.length > 0) {
    const load = ({ decile, kind }: Planted): number => count(String(decile)) * 100 + count(kind);
    const next = rest.reduce((best, one) => (load(one) < load(best) ? one : best));
    rest.splice(rest.indexOf(next), 1);
    chosen.push(next);
    for (const key of [String(next.decile), next.kind]) taken.set(key, count(key) + 1);
  }
  return chosen.sort(
    (a, b) => a.was[0] - b.was[0] || errorKinds.indexOf(a.kind) - errorKinds.indexOf(b.kind),
  );
}
