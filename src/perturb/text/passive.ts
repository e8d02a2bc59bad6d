import {
  analyse,
  fullNounPhraseAt,
  looseGroups,
  nounPhraseAt,
  textOf,
  type Form,
  type NounPhrase,
} from './analysis';
import type { Token } from './token';
import { lowerFirst, splitEnd } from './templates';
import { variantOf, type TextVariant } from './variant';
import { beings, list, places } from './words';

/** Verbs whose object can become a subject: "base -s -ing participle". Without idioms ("taking a bath"). */
const transitive = `
  ride rides riding ridden; hold holds holding held; eat eats eating eaten; carry carries carrying carried;
  pull pulls pulling pulled; push pushes pushing pushed; throw throws throwing thrown; kick kicks kicking kicked;
  cut cuts cutting cut; slice slices slicing sliced; feed feeds feeding fed; fly flies flying flown; wash washes washing washed;
  use uses using used; drive drives driving driven; read reads reading read; cook cooks cooking cooked;
  prepare prepares preparing prepared; watch watches watching watched; chase chases chasing chased;
  brush brushes brushing brushed; hug hugs hugging hugged; lick licks licking licked; bite bites biting bitten;
  chew chews chewing chewed; wear wears wearing worn; swing swings swinging swung; hit hits hitting hit;
  lead leads leading led; herd herds herding herded; play plays playing played; sell sells selling sold;
  cross crosses crossing crossed; drink drinks drinking drunk; toss tosses tossing tossed; open opens opening opened;
  sniff sniffs sniffing sniffed; climb climbs climbing climbed; examine examines examining examined;
  inspect inspects inspecting inspected; decorate decorates decorating decorated; paint paints painting painted;
  clean cleans cleaning cleaned; walk walks walking walked; milk milks milking milked; shear shears shearing sheared
`
  .split(';')
  .map((forms) => forms.trim().split(/\s+/))
  .map(([base, s, ing, participle]) => ({ base, s, ing, participle }));

const byIng = new Map(transitive.map((verb) => [verb.ing, verb]));
const byS = new Map(transitive.map((verb) => [verb.s, verb]));
const byBase = new Map(transitive.map((verb) => [verb.base, verb]));

/** Mass nouns, which can be objects without a determiner. */
const substances = list(
  'food pizza water grass hay tennis baseball soccer frisbee basketball volleyball football polo cake wine beer luggage lunch dinner breakfast fruit bread cheese television tv',
);
/** Objects of idioms without a passive, such as "holding hands". */
const idioms = list('hands hand turns turn place part shape fun time way pose poses court home catch');

/** Things that can be walked. "Walking a dog" has a passive, but "walking a road" has none. */
const walked = list('dog dogs puppy puppies horse horses bike bikes bicycle bicycles cow cows elephant');

/** "A man riding a horse on a beach" becomes "A horse being ridden by a man on a beach". */
export function passives(caption: string, tokens: readonly Token[]): TextVariant[] {
  const form = analyse(tokens);
  if (form === undefined || form.marks || form.namesImage || tokens[0].lower === 'there') return [];
  if (!beings.has(form.subject.head.lower) && !looseGroups.has(form.subject.head.lower)) return [];
  if (!form.subject.determined && !form.subject.plural) return [];
  const { agentEnd, at } = afterSubject(tokens, form);
  const predicate = predicateAt(tokens, at);
  if (predicate === undefined) return [];
  const object = fullNounPhraseAt(tokens, predicate.object);
  if (object === undefined || !fitObject(tokens, object)) return [];
  if (predicate.participle === 'walked' && !walked.has(object.head.lower)) return [];
  const rest = tokens.slice(object.to, form.end);
  if (!onlyPlaces(tokens, object.to, form.end)) return [];
  const longAgent = agentEnd > form.subject.to;
  // In "ridden by a man in a hat on a beach", it is unclear who or what is on the beach.
  if (longAgent && rest.length > 0) return [];
  // In "watching the clouds on the monitor", the last phrase belongs to the object.
  if (predicate.participle === 'watched' && rest.length > 0) return [];
  const are = objectIsMany(tokens, object);
  if (are === undefined && predicate.tense !== 'none') return [];
  const be = are === true ? 'are' : 'is';
  const verb = {
    none: `being ${predicate.participle}`,
    progressive: `${be} being ${predicate.participle}`,
    simple: `${be} ${predicate.participle}`,
  }[predicate.tense];
  const { end } = splitEnd(caption);
  const agent = lowerFirst(textOf(caption, tokens, 0, agentEnd), tokens);
  const place = textOf(caption, tokens, object.to, form.end);
  const objectText = textOf(caption, tokens, object.from, object.to);
  const capital = /^\p{Lu}/u.test(caption);
  const subject = capital ? objectText[0].toUpperCase() + objectText.slice(1) : objectText;
  const text = [subject, verb, 'by', agent, ...(place === '' ? [] : [place])].join(' ') + end;
  return [variantOf(caption, text, { family: 'paraphrase', kind: 'passive', rule: 'passive' })];
}

/** Skips one phrase that describes the subject, such as "in a red shirt". */
function afterSubject(tokens: readonly Token[], form: Form): { agentEnd: number; at: number } {
  if (tokens[form.next]?.lower === 'in') {
    const worn = nounPhraseAt(tokens, form.next + 1);
    if (
      worn !== undefined &&
      /^(shirt|suit|dress|jacket|hat|coat|uniform|tie|helmet|wetsuit)$/.test(worn.head.lower)
    )
      return { agentEnd: worn.to, at: worn.to };
  }
  return { agentEnd: form.next, at: form.next };
}

interface Predicate {
  tense: 'none' | 'progressive' | 'simple';
  participle: string;
  /** Index of the object's first token. */
  object: number;
}

function predicateAt(tokens: readonly Token[], at: number): Predicate | undefined {
  const word = tokens[at]?.lower ?? '';
  if (word === 'is' || word === 'are') {
    const verb = byIng.get(tokens[at + 1]?.lower ?? '');
    return verb && { tense: 'progressive', participle: verb.participle, object: at + 2 };
  }
  const progressive = byIng.get(word);
  if (progressive !== undefined) return { tense: 'none', participle: progressive.participle, object: at + 1 };
  const simple = byS.get(word) ?? (tokens[at]?.pos === 'VERB' ? byBase.get(word) : undefined);
  return simple && { tense: 'simple', participle: simple.participle, object: at + 1 };
}

function fitObject(tokens: readonly Token[], object: NounPhrase): boolean {
  if (idioms.has(object.head.lower) || tokens[object.from].pos === 'ADV') return false;
  if (
    tokens
      .slice(object.from, object.to)
      .some(({ pos, lower }) => pos === 'PRON' || /^(his|her|their|its)$/.test(lower))
  )
    return false;
  return object.determined || object.plural || substances.has(object.head.lower);
}

function objectIsMany(tokens: readonly Token[], object: NounPhrase): boolean | undefined {
  const hasOf = tokens.slice(object.from, object.to).some(({ lower }) => lower === 'of');
  if (
    hasOf &&
    (looseGroups.has(object.head.lower) || /^(couple|lot|number|variety)$/.test(object.head.lower))
  )
    return undefined;
  return object.plural;
}

/** Whether the tokens are only phrases of place, without a possessive such as "on his horse". */
export function onlyPlaces(tokens: readonly Token[], from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const phrase = placeAt(tokens, at);
    if (phrase === undefined || phrase.to > to) return false;
    if (phrase.possessive || !(phrase.determined || phrase.plural)) return false;
    at = phrase.to;
  }
  return true;
}

/** The noun phrase after a preposition of place, such as "on" or "in front of". */
export function placeAt(tokens: readonly Token[], at: number): NounPhrase | undefined {
  const word = tokens[at]?.lower ?? '';
  if (word === 'next' && tokens[at + 1]?.lower === 'to') return fullNounPhraseAt(tokens, at + 2);
  if (
    /^(in|on)$/.test(word) &&
    /^(front|top)$/.test(tokens[at + 1]?.lower ?? '') &&
    tokens[at + 2]?.lower === 'of'
  )
    return fullNounPhraseAt(tokens, at + 3);
  if (!places.has(word) || word === 'by') return undefined;
  return fullNounPhraseAt(tokens, at + 1);
}
