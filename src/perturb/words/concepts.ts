import { append } from '../../base/append';
import groups from './groups.json';
import wordNet from './nouns.json';
import rareNouns from './rareNouns.json';
import { singular } from './number';

/**
 * A kind of thing within a group. Replacements come from `words`. Words in `also` are recognised, but never used.
 */
interface Kind {
  words: string;
  also?: string;
}

/** The group for each WordNet class. It applies to nouns that are not in groups.json. */
const ofClass: Readonly<Record<string, string>> = {
  animal: 'animal',
  body: 'body',
  food: 'food',
  person: 'person',
  plant: 'nature',
};

interface Place {
  group: string;
  /** The words of the same kind. A noun that groups.json lacks gets the words of the whole group. */
  peers: readonly string[];
}

let table: Map<string, Place> | undefined;
let memberLists: Map<string, readonly string[]> | undefined;
let nouns: Set<string> | undefined;

/** Replacement nouns by group: singular, and frequent in captions. */
export function membersOf(): ReadonlyMap<string, readonly string[]> {
  memberLists ??= new Map(
    Object.entries<Record<string, Kind>>(groups).map(([group, kinds]) => [
      group,
      Object.values(kinds).flatMap(({ words }) => words.split(' ')),
    ]),
  );
  return memberLists;
}

function placeOf(word: string): Place | undefined {
  table ??= placed();
  const lower = word.toLowerCase();
  // A listed form keeps its number, because "glasses" are not a "glass".
  return table.get(lower) ?? table.get(singular(lower, isListed));
}

function placed(): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const list of [rareNouns, wordNet] as Record<string, string>[])
    for (const [name, words] of Object.entries(list)) {
      const group = ofClass[name];
      if (group === undefined) continue;
      const place = { group, peers: membersOf().get(group)! };
      for (const word of words.split(' ')) places.set(word, place);
    }
  for (const [group, kinds] of Object.entries<Record<string, Kind>>(groups))
    for (const { words, also = '' } of Object.values(kinds)) {
      const place = { group, peers: words.split(' ') };
      for (const word of [...place.peers, ...also.split(' ')]) if (word !== '') places.set(word, place);
    }
  return places;
}

/** The concept group of a singular or plural noun; undefined if the word has none. */
export function conceptOf(word: string): string | undefined {
  return placeOf(word)?.group;
}

/** The words of a noun's kind. The policy `same-concept` takes its replacements from them. */
export function peersOf(word: string): readonly string[] {
  return placeOf(word)?.peers ?? [];
}

/** Whether captions or WordNet use the word as a noun. */
export function isListed(word: string): boolean {
  if (nouns === undefined) {
    const all: string[] = [];
    for (const list of [rareNouns, wordNet] as Record<string, string>[])
      for (const words of Object.values(list)) append(all, words.split(' '));
    for (const kinds of Object.values<Record<string, Kind>>(groups))
      for (const { words, also = '' } of Object.values(kinds)) append(all, `${words} ${also}`.split(' '));
    nouns = new Set(all);
  }
  return nouns.has(word);
}

const dangersByGroup: Readonly<Record<string, string>> = {
  person: 'criminal terrorist murderer robber kidnapper gunman shooter sniper arsonist hijacker thug killer',
  place: 'minefield battlefield warzone bunker wreckage prison',
  event: 'war riot attack explosion massacre shooting robbery assault',
  food: 'poison drug explosive grenade',
  vehicle: 'tank bomber warship missile wreck',
  weapon: 'weapon gun rifle pistol bomb grenade missile knife sword axe dagger explosive machete',
};
const likeDanger: Readonly<Record<string, string>> = {
  nature: 'place',
  direction: 'place',
  country: 'place',
  drink: 'food',
  action: 'event',
  time: 'event',
};

/** Words for dangers to people, by the group of the replaced word. */
export function dangersFor(group: string | undefined): readonly string[] {
  const name = likeDanger[group ?? ''] ?? group ?? '';
  return (dangersByGroup[name] ?? dangersByGroup.weapon).split(' ');
}
