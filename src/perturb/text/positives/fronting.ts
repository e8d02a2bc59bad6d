/** Rules that begin a sentence with the place or with the content of a picture, or that split a relative clause. */
import { conceptOf } from '../../words/concepts';
import { analyse, isPluralNoun, mayBeFinite, textOf, type Form } from '../analysis';
import { onlyPlaces, placeAt } from '../passive';
import { isStative } from '../restructure';
import { lowerFirst, splitEnd } from '../templates';
import type { Token } from '../token';
import { beings, people, scenes, states } from '../words';
import { clauses, isSingleOrPlural, nameOf, opening, type Rule } from './clauses';

export const frontingRules: Readonly<Record<string, Rule>> = {
  'place first, split': placeFirstSplit,
  'described place first': describedPlaceFirst,
  'shown in': shownIn,
  'relative clause, split': relativeSplit,
};

const located = /^(in|on|at|near|next|beside|under|underneath|beneath|behind|atop|inside|outside|above)$/;
const postures =
  /^(sitting|standing|laying|lying|hanging|resting|sleeping|floating|grazing|kneeling|perched|parked|seated)$/;
/** Postures that are natural for things: "this boat is floating", but not "this meter is sitting". */
const posturesOfThings = /^(hanging|floating|parked)$/;

/** "A dog sleeping on a bed" → "On a bed there is a dog, and this dog is sleeping". */
function placeFirstSplit(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end } = form;
  if (!subject.indefinite || subject.possessive) return undefined;
  const isBe = /^(is|are)$/.test(tokens[next]?.lower ?? '');
  const verb = tokens[isBe ? next + 1 : next];
  const from = (isBe ? next + 1 : next) + 1;
  if (tokens.slice(next, end).some(({ lower }) => lower === 'another')) return undefined;
  if (verb?.pos !== 'VERB' || from >= end || !located.test(tokens[from].lower)) return undefined;
  const isBeing = tokens.slice(0, subject.to).some(({ lower }) => isAlive(lower));
  const isPosture = postures.test(verb.lower);
  if (isPosture && !isBeing && !posturesOfThings.test(verb.lower)) return undefined;
  if (!isPosture && (!verb.lower.endsWith('ing') || isStative(verb.lower))) return undefined;
  if (!onlyPlaces(tokens, from, end)) return undefined;
  // In "working on a laptop", the subject is not on the laptop. Only a posture, or a scene such as a beach, shows
  // that the subject is at the place.
  if (!isPosture && !isScene(placeAt(tokens, from)?.head.lower ?? '')) return undefined;
  const group = isGroup(tokens, form);
  if (!group && !isSingleOrPlural(tokens, form)) return undefined;
  const place = opening(caption, textOf(caption, tokens, from, end));
  const are = form.are === true;
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  const again = group
    ? 'they are'
    : `${are ? 'these' : 'this'} ${nameOf(tokens, subject)} ${are ? 'are' : 'is'}`;
  return `${place} there ${are ? 'are' : 'is'} ${who}, and ${again} ${verb.text.replace(/^laying$/, 'lying')}${splitEnd(caption).end}`;
}

function isAlive(word: string): boolean {
  return beings.has(word) || /^(person|animal|bird)$/.test(conceptOf(word) ?? '');
}

function isScene(word: string): boolean {
  return scenes.has(word) || /^(place|nature)$/.test(conceptOf(word) ?? '');
}

/** Whether the subject is a group such as "a group of dogs". The rewritten sentence then refers to it as "they". */
function isGroup(tokens: readonly Token[], { subject }: Form): boolean {
  const of = tokens.findIndex(({ lower }, i) => i < subject.to && lower === 'of');
  return (
    of > 0 &&
    /^(group|couple|pair|bunch|herd|flock|crowd|team)$/.test(tokens[of - 1].lower) &&
    isPluralNoun(tokens[subject.to - 1].lower)
  );
}

/** "A man on a surfboard riding a wave" → "On a surfboard there is a man, and this man is riding a wave". */
function describedPlaceFirst(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end, are } = form;
  if (!isSingleOrPlural(tokens, form) || !beings.has(subject.head.lower)) return undefined;
  const preposition = tokens[next]?.lower ?? '';
  if (!/^(on|in|near|behind|under|next)$/.test(preposition)) return undefined;
  const place = placeAt(tokens, next);
  if (place === undefined || place.to > end || beings.has(place.head.lower)) return undefined;
  if (place.possessive || !(place.determined || place.plural)) return undefined;
  // In "a man in a suit", the suit is no place.
  if (preposition === 'in' && !isScene(place.head.lower)) return undefined;
  const isBe = /^(is|are)$/.test(tokens[place.to]?.lower ?? '');
  const at = isBe ? place.to + 1 : place.to;
  const verb = tokens[at];
  if (verb?.pos !== 'VERB' || !verb.lower.endsWith('ing') || isStative(verb.lower)) return undefined;
  // In "a man on a bus turning left", the bus may be turning.
  if (!isBe && conceptOf(place.head.lower) === 'vehicle') return undefined;
  if (
    tokens
      .slice(at + 1, end)
      .some(({ pos, lower }) => pos === 'VERB' || pos === 'AUX' || /^(and|while)$/.test(lower))
  )
    return undefined;
  const front = opening(caption, textOf(caption, tokens, next, place.to));
  const said = clauses(caption, tokens, form, {
    who: subject.to,
    verb: are === true ? 'are' : 'is',
    from: at,
  });
  return `${front} ${said[0].toLowerCase()}${said.slice(1)}`;
}

const images = /^(photo|photograph|picture|image|painting|drawing|sketch|portrait|poster|close-up|closeup)$/;

/** "A vintage photo of some cars on a street" → "Some cars on a street are shown in a vintage photo". */
export function shownIn(caption: string, tokens: readonly Token[], { end }: Form): string | undefined {
  const of = tokens.findIndex(({ lower }) => lower === 'of');
  if (of < 1 || !images.test(tokens[of - 1].lower) || !/^an?$/.test(tokens[0].lower)) return undefined;
  if (tokens.slice(0, of).some(({ pos }) => pos === 'ADP' || pos === 'VERB')) return undefined;
  const rest = tokens.slice(of + 1, end);
  const content = analyse(rest);
  if (content?.are === undefined || content.marks || mayBeFinite(rest)) return undefined;
  if (!content.subject.determined && !content.subject.plural) return undefined;
  // With "and" or "or", the subject may be a list, which needs another form of the verb.
  if (rest.some(({ lower }) => lower === 'and' || lower === 'or')) return undefined;
  const shown = opening(caption, textOf(caption, tokens, of + 1, end));
  const where = lowerFirst(textOf(caption, tokens, 0, of), tokens);
  return `${shown} ${content.are ? 'are' : 'is'} shown in ${where}${splitEnd(caption).end}`;
}

/** "A pole that has a clock on it" → "There is a pole, and this pole has a clock on it". */
function relativeSplit(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end } = form;
  if (!isSingleOrPlural(tokens, form) || !/^(that|which|who)$/.test(tokens[next]?.lower ?? ''))
    return undefined;
  const verb = tokens[next + 1];
  if (verb === undefined || !/^(is|are|has|have)$/.test(verb.lower)) return undefined;
  if (/^(are|have)$/.test(verb.lower) !== (form.are === true)) return undefined;
  const rest = tokens.slice(next + 2, end);
  if (
    rest.length === 0 ||
    mayBeFinite(rest) ||
    (/^ha(s|ve)$/.test(verb.lower) && rest.some(({ pos }) => pos === 'VERB')) ||
    rest.some(({ lower }) => /^(been|to)$/.test(lower))
  )
    return undefined;
  const isPerson = people.has(subject.head.lower);
  // If the subject is not a person, "who" may refer to another noun.
  if (!isPerson && tokens[next].lower === 'who') return undefined;
  if (/^(is|are)$/.test(verb.lower) && rest[0].pos === 'VERB' && !isActivity(rest[0])) return undefined;
  return clauses(caption, tokens, form, { who: subject.to, from: next + 1 });
}

function isActivity({ lower }: Token): boolean {
  return lower.endsWith('ing') || lower.endsWith('ed') || states.has(lower);
}
