import table from './slots.json';
import { isNoun } from '../text/tags';
import type { Token } from '../text/token';
import { isListed } from './concepts';
import { fitWords, seenTogether, shareOf } from './fit';
import { singular } from './number';

/**
 * Describes a noun's position: after a verb or preposition, before a verb, or after an adjective. For "bench" in
 * "sitting on a bench", `exact` is "sit on", `general` is "on", and `governor` is "sitting".
 */
export interface Slot {
  exact: string;
  general?: string;
  governor?: string;
}

export function slotsOf(tokens: readonly Token[], at: number): Slot[] {
  const slots: Slot[] = [];
  let from = at;
  for (; from > 0 && isWithinPhrase(tokens, from - 1); from--) {
    const { pos, lower } = tokens[from - 1];
    if (pos === 'ADJ') slots.push({ exact: `~${lower}` });
  }
  return [...slots, ...leftOf(tokens, from), ...rightOf(tokens, at + 1)];
}

function isWithinPhrase(tokens: readonly Token[], at: number): boolean {
  const { pos, lower } = tokens[at];
  return (
    /^(DET|ADJ|NUM)$/.test(pos) ||
    /^(his|her|their|its|my|your|our)$/.test(lower) ||
    (pos === 'VERB' && /(ed|en)$/.test(lower) && at > 0 && tokens[at - 1].pos === 'DET')
  );
}

/** Whether the word can be part of a preposition, such as "in front of" or "out of". */
export const isParticle = ({ pos, lower }: Token): boolean =>
  pos === 'ADP' || /^(to|of|front|top|next|close|out|up|down|off|inside|outside|away|back)$/.test(lower);

function leftOf(tokens: readonly Token[], from: number): Slot[] {
  let at = from - 1;
  if (at < 0 || tokens[at].pos === 'PUNCT') return [];
  if (tokens[at].pos === 'VERB') return [{ exact: `${stemOf(tokens[at].lower)}+` }];
  if (!isParticle(tokens[at])) return [];
  const last = at;
  while (at >= 0 && isParticle(tokens[at])) at--;
  const preposition = tokens
    .slice(at + 1, last + 1)
    .map(({ lower }) => lower)
    .join(' ');
  const governor = tokens[at];
  if (governor === undefined) return [{ exact: preposition }];
  const word = isNoun(governor) ? singular(governor.lower, isListed) : stemOf(governor.lower);
  return [{ exact: `${word} ${preposition}`, general: preposition, governor: governor.lower }];
}

function rightOf(tokens: readonly Token[], from: number): Slot[] {
  let at = from;
  while (tokens[at] !== undefined && /^(AUX|ADV)$/.test(tokens[at].pos)) at++;
  if (/^(that|who|which|is|are)$/.test(tokens[at]?.lower ?? '')) at++;
  while (/^(is|are)$/.test(tokens[at]?.lower ?? '')) at++;
  if (/^(outside|inside)$/.test(tokens[at]?.lower ?? '') && /^(ADP|SCONJ)$/.test(tokens[at + 1]?.pos ?? ''))
    at++;
  const verb = tokens[at];
  if (verb?.lower === 'for') return [{ exact: '>for' }];
  if (verb?.pos !== 'VERB') return [];
  const next = tokens[at + 1];
  const stem = `>${stemOf(verb.lower)}`;
  if (next === undefined || next.pos === 'PUNCT') return [{ exact: stem }];
  if (isParticle(next)) return [{ exact: `${stem} ${next.lower}`, general: stem, governor: verb.lower }];
  return [{ exact: /^(DET|ADJ|NUM|NOUN|PROPN|PRON)$/.test(next.pos) ? `${stem}+` : stem }];
}

/** Maps most forms of a regular verb to one key. The key need not be a word. */
function stemOf(verb: string): string {
  const stem = verb.replace(/(ing|ed|es|s|e)$/, '');
  return stem.length < 2 ? verb : stem.replace(/([bdgmnprt])\1$/, '$1');
}

interface Slots {
  place: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, { total: number; of: ReadonlyMap<number, number> }>;
}

let loaded: Slots | undefined;

function slots(): Slots {
  loaded ??= {
    place: new Map(table.words.split(' ').map((word, at) => [word, at])),
    counts: new Map(
      Object.entries<string>(table.slots).map(([key, list]) => {
        const [total, ...pairs] = list.split(' ');
        return [
          key,
          {
            total: Number(total),
            of: new Map(pairs.map((pair) => pair.split(':').map(Number) as [number, number])),
          },
        ];
      }),
    ),
  };
  return loaded;
}

/** A slot with this many occurrences is common. A noun that hardly ever fills a common slot does not fit. */
const enough = 40;
const leastSeen = 2;
const leastLift = 0.5;

/**
 * Whether captions use the word in each slot. For a rare slot, it is enough that captions use the word in the
 * general slot and near the governor.
 */
export function fillsSlots(word: string, wanted: readonly Slot[]): boolean {
  const { place, counts } = slots();
  const at = place.get(word);
  if (at === undefined) return false;
  const isSeen = (key: string): boolean => (counts.get(key)?.of.get(at) ?? 0) >= leastSeen;
  return wanted.every(({ exact, general, governor = '' }) => {
    if (isSeen(exact)) return true;
    if (general === undefined || (counts.get(exact)?.total ?? 0) >= enough) return false;
    return isSeen(general) && (areNeighbours(governor, word) || areNeighbours(word, governor));
  });
}

/** Whether captions use the word in each exact slot, at least half as often as its overall frequency predicts. */
export function isUsualIn(word: string, wanted: readonly Slot[]): boolean {
  const { place, counts } = slots();
  const at = place.get(word);
  return wanted.every(({ exact }) => {
    const known = counts.get(exact);
    const seen = at === undefined ? 0 : (known?.of.get(at) ?? 0);
    return known !== undefined && seen >= leastSeen && seen / known.total >= leastLift * shareOf(word);
  });
}

function areNeighbours(a: string, b: string): boolean {
  const [first, second] = [a, b].map((word) => singular(word, isListed));
  return seenTogether(first, second) > 0;
}

/**
 * Of the images whose captions contain `word`, the share whose captions also contain `other`, a word of the same
 * kind. 0 if the share is below 2 %.
 */
export function shownWith(word: string, other: string): number {
  const list = (table.together as Readonly<Record<string, string>>)[word] ?? '';
  const at = slots().place.get(other);
  const found = list.split(' ').find((pair) => pair.startsWith(`${at}:`));
  return found === undefined ? 0 : Number(found.split(':')[1]) / 100;
}

let scenes: Map<string, ReadonlySet<string>> | undefined;

/** Whether a noun and a word fit into one scene: captions of one image do not rarely contain both. */
export function areInOneScene(noun: string, word: string): boolean {
  scenes ??= new Map(
    Object.entries<string>(table.never).map(([one, steps]) => {
      let at = 0;
      return [one, new Set(steps.split(' ').map((step) => fitWords()[(at += Number(step))]))];
    }),
  );
  return scenes.get(noun)?.has(word) !== true;
}
