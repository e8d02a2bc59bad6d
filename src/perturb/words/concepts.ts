import { append } from '../../base/lists';
import groups from './groups.json';
import wordNet from './nouns.json';
import rareNouns from './rareNouns.json';
import { singular } from './number';

/**
 * A sort of thing, by its kind and name: "decor/soft". A noun of `words` or `also` may become one of `words`. Words in
 * `alone` name no thing ("side") or another one ("mouse") in many captions, so that only other policies draw them.
 */
interface Sort {
  words?: string;
  also?: string;
  alone?: string;
}

type Groups = Record<string, Record<string, Sort>>;

function split(list = ''): string[] {
  return list === '' ? [] : list.split(' ');
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
  /** The words of the same sort. */
  siblings: readonly string[];
}

let table: Map<string, Place> | undefined;
let memberLists: Map<string, readonly string[]> | undefined;
let nouns: Set<string> | undefined;

/** Replacement nouns by group: singular, and frequent in captions. */
export function membersOf(): ReadonlyMap<string, readonly string[]> {
  memberLists ??= new Map(
    Object.entries(groups as Groups).map(([group, sorts]) => [
      group,
      Object.values(sorts).flatMap(({ words, alone }) => [...split(words), ...split(alone)]),
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
  for (const [group, sorts] of Object.entries(groups as Groups)) {
    const peersOfKind = new Map<string, string[]>();
    for (const [key, { words, also, alone }] of Object.entries(sorts)) {
      const [kind] = key.split('/');
      const peers = peersOfKind.get(kind) ?? [];
      peersOfKind.set(kind, peers);
      append(peers, [...split(words), ...split(alone)]);
      for (const word of [...split(words), ...split(also)])
        places.set(word, { group, peers, siblings: split(words) });
      for (const word of split(alone)) places.set(word, { group, peers, siblings: [] });
    }
  }
  // WordNet also lists some plurals, such as "cows".
  for (const list of [rareNouns, wordNet] as Record<string, string>[])
    for (const [name, words] of Object.entries(list)) {
      const group = ofClass[name];
      if (group === undefined) continue;
      const place = { group, peers: membersOf().get(group)!, siblings: [] };
      for (const word of words.split(' '))
        if (!places.has(word) && !places.has(singular(word, isListed))) places.set(word, place);
    }
  return places;
}

/** The concept group of a singular or plural noun; undefined if the word has none. */
export function conceptOf(word: string): string | undefined {
  return placeOf(word)?.group;
}

/** The words of a noun's kind. */
export function peersOf(word: string): readonly string[] {
  return placeOf(word)?.peers ?? [];
}

/**
 * The words of a noun's sort, from which the policy `same-concept` takes its replacements. A noun has none if it names
 * a whole class ("vehicle"), a part or a relation ("side"), or another thing in many captions ("mouse").
 */
export function siblingsOf(word: string): readonly string[] {
  return placeOf(word)?.siblings ?? [];
}

/** Whether captions or WordNet use the word as a noun. */
export function isListed(word: string): boolean {
  if (nouns === undefined) {
    const all: string[] = [];
    for (const list of [rareNouns, wordNet] as Record<string, string>[])
      for (const words of Object.values(list)) append(all, words.split(' '));
    for (const sorts of Object.values(groups as Groups))
      for (const { words, also, alone } of Object.values(sorts))
        append(all, [...split(words), ...split(also), ...split(alone)]);
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
