import { analyse, fullNounPhraseAt, textOf, type Form } from './analysis';
import { onlyPlaces } from './passive';
import { addIs, dropIs } from './restructure';
import { lowerFirst, splitEnd } from './templates';
import type { Token } from './token';
import { variantOf, type TextVariant } from './variant';
import { beings, containers, people } from './words';

type Rule = (caption: string, tokens: readonly Token[], form: Form) => string | undefined;

/** Rules that move whole phrases, each for one kind of sentence. LGIP's paraphrases do not use them. */
const rules: Readonly<Record<string, Rule>> = {
  'place first': placeFirst,
  'what it has': whatItHas,
  'turned round': turnedRound,
  'two clauses': twoClauses,
};

/** The caption with its phrases in another order, for annotators who want positives that differ strongly. */
export function reorderings(caption: string, tokens: readonly Token[] | undefined): TextVariant[] {
  if (tokens === undefined || caption === caption.toUpperCase()) return [];
  const form = analyse(tokens);
  if (form === undefined || form.marks || form.namesPicture || tokens[0].lower === 'there') return [];
  if (!form.subject.determined && !form.subject.plural) return [];
  return Object.entries(rules).flatMap(([name, rule]) => {
    const text = rule(caption, tokens, form);
    if (text === undefined || text === caption) return [];
    return [
      variantOf(caption, text, { family: 'paraphrase', kind: 'restructure', rule: `reorder: ${name}` }),
    ];
  });
}

/** Verbs without an object that may open a sentence: "Parked on a street is a car". */
const postures =
  /^(sitting|standing|laying|lying|hanging|resting|sleeping|floating|grazing|kneeling|leaning|perched|parked|seated|displayed|placed|stacked|located|mounted|parking)$/;

/** "A cat sitting on a bed" → "Sitting on a bed is a cat"; "A cat on a bed" → "On a bed there is a cat". */
function placeFirst(
  caption: string,
  tokens: readonly Token[],
  { subject, next, end, are }: Form,
): string | undefined {
  if (subject.possessive || next >= end) return undefined;
  const isBe = /^(is|are)$/.test(tokens[next].lower);
  const at = isBe ? next + 1 : next;
  const be = isBe ? tokens[next].lower : are === true ? 'are' : 'is';
  const first = tokens[at];
  if (first === undefined) return undefined;
  const isPosture = postures.test(first.lower);
  const placeAt = isPosture ? at + 1 : at;
  if (placeAt >= end || !onlyPlaces(tokens, placeAt, end)) return undefined;
  // If "on" follows the place, it may belong to the place, so only a single phrase of place is certain.
  const place = textOf(caption, tokens, at, end);
  const opening = /^\p{Lu}/u.test(caption) ? place[0].toUpperCase() + place.slice(1) : place;
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  if (!isPosture && !subject.indefinite) return undefined;
  return `${opening} ${isPosture ? be : `there ${be}`} ${who}${splitEnd(caption).end}`;
}

/** "A man riding a horse" → "There is a man, and this man is riding a horse". */
function twoClauses(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, are } = form;
  if (!subject.indefinite || are === undefined || subject.possessive) return undefined;
  // "this group is" and "these women" would refer to only a part of the subject.
  if (tokens.slice(0, subject.to).some(({ lower }) => /^(of|and|or|with)$/.test(lower))) return undefined;
  const isSentence = dropIs(caption, tokens, form) !== undefined;
  if (!isSentence && addIs(caption, tokens, form) === undefined) return undefined;
  const be = are ? 'are' : 'is';
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  const again = `${are ? 'these' : 'this'} ${subject.head.lower}`;
  const opening = /^\p{Lu}/u.test(caption) ? 'There' : 'there';
  return `${opening} ${be} ${who}, and ${again} ${be} ${caption.slice(tokens[isSentence ? next + 1 : next].start)}`;
}

/** "A bathroom with a sink and a toilet" → "A sink and a toilet in a bathroom". */
function whatItHas(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end } = form;
  if (tokens[next]?.lower !== 'with' || !containers.has(subject.head.lower) || subject.possessive)
    return undefined;
  let at = next + 1;
  for (;;) {
    const had = fullNounPhraseAt(tokens, at);
    if (had === undefined || had.possessive || people.has(had.head.lower) || beings.has(had.head.lower))
      return undefined;
    if (!had.determined && !had.plural) return undefined;
    if (had.to === end) break;
    if (tokens[had.to].lower !== 'and') return undefined;
    at = had.to + 1;
  }
  const things = textOf(caption, tokens, next + 1, end);
  const opening = /^\p{Lu}/u.test(caption) ? things[0].toUpperCase() + things.slice(1) : things;
  const where = /^(street|beach|town|city)$/.test(subject.head.lower) ? 'on' : 'in';
  const room = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  return `${opening} ${where} ${room}${splitEnd(caption).end}`;
}

const mutual = /^(next|beside|near)$/;

/** "A dog next to a cat" → "A cat next to a dog". */
function turnedRound(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end } = form;
  const relation = tokens[next];
  if (relation === undefined || !mutual.test(relation.lower) || subject.possessive) return undefined;
  const from = relation.lower === 'next' ? next + 2 : next + 1;
  if (relation.lower === 'next' && tokens[next + 1]?.lower !== 'to') return undefined;
  const other = fullNounPhraseAt(tokens, from);
  if (other?.to !== end || !other.determined || other.possessive) return undefined;
  const thing = textOf(caption, tokens, from, end);
  const opening = /^\p{Lu}/u.test(caption) ? thing[0].toUpperCase() + thing.slice(1) : thing;
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  return `${opening} ${textOf(caption, tokens, next, from)} ${who}${splitEnd(caption).end}`;
}
