import { conceptOf } from '../../words/concepts';
import { analyse, fullNounPhraseAt, isPluralNoun, mayBeFinite, textOf, type Form } from '../analysis';
import { onlyPlaces, passives } from '../passive';
import { addIs, dropIs, frontScene, isStative } from '../restructure';
import { tag } from '../tagger';
import { lowerFirst, splitEnd } from '../templates';
import type { Token } from '../token';
import { variantOf, type TextVariant } from '../variant';
import { actions, beings, containers, ingNouns, people, states, verbsInS } from '../words';
import { clauses, isSingleOrPlural, opening, type Rule } from './clauses';
import { frontingRules, shownIn } from './fronting';
import { recastRules } from './recast';

/** Rules that move or split phrases, by name. LGIP's paraphrases do not use them. */
const rules: Readonly<Record<string, Rule>> = {
  'place first': placeFirst,
  'what it has': whatItHas,
  'turned round': turnedRound,
  'two clauses': twoClauses,
  'described, split': describedInTwoClauses,
  'what they do': whatTheyDo,
  'it has': itHas,
  'scene first, split': sceneAndTwoClauses,
  'passive, split': passiveInTwoClauses,
  ...frontingRules,
  ...recastRules,
};

/** One text for each rule that applies to the caption, as positives whose wording is very different. */
export function reorderings(caption: string, tokens: readonly Token[] | undefined): TextVariant[] {
  if (tokens === undefined || caption === caption.toUpperCase()) return [];
  const found = analyse(tokens);
  if (found === undefined || found.marks || tokens[0].lower === 'there') return [];
  // The tagger reads "sun." at the end as the abbreviation of Sunday.
  if (/.\.$/.test(tokens[found.end - 1].text)) return [];
  const { subject } = found;
  if (!subject.determined && !subject.plural) return [];
  const own = tokens.slice(0, subject.to);
  const isDepiction = found.namesImage && own.some(({ lower }) => lower === 'of' || depictions.test(lower));
  // Phrases about signs and clocks can be reordered like others, although `imageNouns` contains these
  // words.
  const form = { ...found, namesImage: false };
  const applied = isDepiction ? { 'shown in': shownIn } : rules;
  return Object.entries(applied).flatMap(([name, rule]) => {
    const text = rule(caption, tokens, form);
    if (text === undefined || text === caption) return [];
    return [
      variantOf(caption, text, { family: 'paraphrase', kind: 'restructure', rule: `reorder: ${name}` }),
    ];
  });
}

/** Words for a picture, and words for a part or side of the described thing. */
const depictions =
  /^(photos?|photographs?|pictures?|images?|shots?|views?|overview|glimpse|scenes?|close|close-?up|portrait|collage|look|top|side|back|front|part|video|photographed)$/;

/** Whether the tagger missed a verb such as "surfing" in "a man in a top surfing on a wave". */
function isUntaggedVerb({ lower, pos }: Token): boolean {
  return pos !== 'VERB' && actions.has(lower) && !ingNouns.has(lower);
}

/** Whether the verb may open a sentence with only places after it: "Parked on a street is a car". */
function mayOpen({ lower, pos }: Token, afterIs: boolean): boolean {
  if (pos !== 'VERB' || isStative(lower) || /^(being|having|going|looking)$/.test(lower)) return false;
  // Without "is", an -ed word outside `states` may be the sentence's verb: "a man walked down a street".
  return lower.endsWith('ing') || states.has(lower) || (afterIs && lower.endsWith('ed'));
}

/** "A cat sitting on a bed" → "Sitting on a bed is a cat"; "A cat on a bed" → "On a bed there is a cat". */
function placeFirst(
  caption: string,
  tokens: readonly Token[],
  { subject, next, end, are }: Form,
): string | undefined {
  if (subject.possessive || next >= end) return undefined;
  // "Another phone" refers back to the subject.
  if (tokens.slice(next, end).some(({ lower }) => lower === 'another')) return undefined;
  if (tokens.slice(subject.to - 1, end).some(isUntaggedVerb)) return undefined;
  const isBe = /^(is|are)$/.test(tokens[next].lower);
  const at = isBe ? next + 1 : next;
  const be = isBe ? tokens[next].lower : are === true ? 'are' : 'is';
  const first = tokens[at];
  if (first === undefined) return undefined;
  const isPosture = mayOpen(first, isBe);
  const placeAt = isPosture ? at + (tokens[at + 1]?.lower.endsWith('ly') === true ? 2 : 1) : at;
  // In "cutting into a pizza", the phrase is the verb's object.
  if (isPosture && /^(into|onto|at)$/.test(tokens[placeAt]?.lower ?? '') && !states.has(first.lower))
    return undefined;
  if (placeAt >= end || !onlyPlaces(tokens, placeAt, end)) return undefined;
  // All phrases of place move together, because a later phrase may describe an earlier one.
  const place = textOf(caption, tokens, at, end);
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  if (!isPosture && !subject.indefinite) return undefined;
  return `${opening(caption, place)} ${isPosture ? be : `there ${be}`} ${who}${splitEnd(caption).end}`;
}

/** "A man riding a horse" → "There is a man, and this man is riding a horse". */
function twoClauses(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, are } = form;
  if (!isSingleOrPlural(tokens, form)) return undefined;
  const isSentence = dropIs(caption, tokens, form) !== undefined;
  if (isSentence || isState(tokens, form) || addIs(caption, tokens, form) !== undefined)
    return clauses(caption, tokens, form, {
      who: subject.to,
      verb: are === true ? 'are' : 'is',
      from: isSentence ? next + 1 : next,
    });
  return isSimple(tokens, form) ? clauses(caption, tokens, form, { who: subject.to, from: next }) : undefined;
}

/** Whether the predicate is a state of the subject, such as "being served" or "filled with". */
function isState(tokens: readonly Token[], { next, finite }: Form): boolean {
  const [verb, after] = [tokens[next]?.lower ?? '', tokens[next + 1]];
  if (finite || after === undefined) return false;
  if (verb === 'being') return after.pos === 'VERB';
  return /^(filled|covered|topped|loaded|stuffed|decorated|lined)$/.test(verb) && after.lower === 'with';
}

/** Whether the predicate has a single verb such as "stands". Later words in -ed are not counted as verbs. */
function isSimple(tokens: readonly Token[], { next, end, are }: Form): boolean {
  const verb = tokens[next];
  if (verb?.pos !== 'VERB' || verb.lower.endsWith('ing') || /(ed|en|wn)$/.test(verb.lower)) return false;
  if (are === true ? verb.lower.endsWith('s') || states.has(verb.lower) : !verbsInS.has(verb.lower))
    return false;
  return !tokens
    .slice(next + 1, end)
    .some(({ pos, lower }) => (pos === 'VERB' && !lower.endsWith('ed')) || pos === 'AUX');
}

/** "A man on a skateboard doing a trick" → "There is a man on a skateboard, and this man is doing a trick". */
function describedInTwoClauses(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end, are } = form;
  if (!isSingleOrPlural(tokens, form) || !people.has(subject.head.lower)) return undefined;
  const isWorn = tokens[next]?.lower === 'wearing';
  if (!isWorn && !/^(with|in|on)$/.test(tokens[next]?.lower ?? '')) return undefined;
  const worn = fullNounPhraseAt(tokens, next + 1);
  // In "a man in a car turning left", the verb may describe the vehicle.
  if (worn === undefined || beings.has(worn.head.lower) || conceptOf(worn.head.lower) === 'vehicle')
    return undefined;
  const isBe = /^(is|are)$/.test(tokens[worn.to]?.lower ?? '');
  const at = isBe ? worn.to + 1 : worn.to;
  const [verb, object] = [tokens[at], tokens[at + 1]];
  if (verb?.pos !== 'VERB' || !verb.lower.endsWith('ing') || isStative(verb.lower)) return undefined;
  if (!isBe && !/^(DET|NOUN|ADJ|NUM)$/.test(object?.pos ?? '')) return undefined;
  if (tokens.slice(at + 1, end).some(({ pos }) => pos === 'VERB' || pos === 'AUX')) return undefined;
  return clauses(caption, tokens, form, { who: worn.to, verb: are === true ? 'are' : 'is', from: at });
}

/** "A group of people riding horses" → "There is a group of people, and they are riding horses". */
function whatTheyDo(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, end } = form;
  if (!subject.indefinite || !subject.determined || subject.possessive) return undefined;
  const isGroup =
    groups.test(subject.head.lower) && tokens.slice(0, subject.to).some(({ lower }) => lower === 'of');
  const second = tokens[subject.to]?.lower === 'and' ? fullNounPhraseAt(tokens, subject.to + 1) : undefined;
  const isPair =
    second?.determined === true && beings.has(second.head.lower) && beings.has(subject.head.lower);
  if ((!isGroup || !isPluralNoun(tokens[subject.to - 1].lower)) && !isPair) return undefined;
  const to = isPair ? second.to : subject.to;
  const at = /^(is|are)$/.test(tokens[to]?.lower ?? '') ? to + 1 : to;
  const verb = tokens[at];
  if (
    verb?.pos !== 'VERB' ||
    !(verb.lower.endsWith('ing') || states.has(verb.lower)) ||
    isStative(verb.lower)
  )
    return undefined;
  // A second verb may describe only part of the group or pair.
  const rest = tokens.slice(at + 1, end);
  if (
    rest.some(
      ({ lower, pos }) =>
        pos === 'VERB' || pos === 'AUX' || /^(and|while|who|that|which|they|their)$/.test(lower),
    )
  )
    return undefined;
  const are = isPair || form.are === true;
  return clauses(caption, tokens, { ...form, are }, { who: to, again: 'they', verb: 'are', from: at });
}

const groups = /^(group|couple|number|pair|bunch|herd|flock|crowd|team|lot|variety|row)$/;

/** "A dog with a stick in its mouth" → "There is a dog, and this dog has a stick in its mouth". */
function itHas(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end, are } = form;
  if (!isSingleOrPlural(tokens, form) || tokens[next]?.lower !== 'with') return undefined;
  if (whatItHas(caption, tokens, form) !== undefined) return undefined;
  const had = fullNounPhraseAt(tokens, next + 1);
  if (had === undefined || had.to > end || beings.has(had.head.lower)) return undefined;
  // In "a man with a hat riding a horse", the verb belongs to the subject.
  const rest = tokens.slice(had.to, end);
  const isPlace = conceptOf(subject.head.lower) === 'place' && !mayBeFinite(rest);
  if (
    !isPlace &&
    rest.some(({ pos, lower }) => pos === 'VERB' || pos === 'AUX' || /^(that|which|who)$/.test(lower))
  )
    return undefined;
  if (!isPlace && rest.length > 0 && !/^(in|on|and|with)$/.test(rest[0].lower)) return undefined;
  return clauses(caption, tokens, form, {
    who: subject.to,
    verb: are === true ? 'have' : 'has',
    from: next + 1,
  });
}

/** "A man riding a bicycle on a beach" → "On a beach there is a man, and this man is riding a bicycle". */
function sceneAndTwoClauses(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const scene = frontScene(caption, tokens, form);
  const comma = scene?.indexOf(', ') ?? -1;
  if (scene === undefined || comma < 0) return undefined;
  const rest = scene.slice(comma + 2);
  const restTokens = tag(rest);
  const restForm = restTokens && analyse(restTokens);
  if (restTokens === undefined || restForm === undefined) return undefined;
  const made = twoClauses(rest, restTokens, restForm) ?? whatTheyDo(rest, restTokens, restForm);
  return made === undefined ? undefined : `${scene.slice(0, comma)} ${made}`;
}

/** "A man riding a horse" → "There is a horse, and this horse is being ridden by a man". */
function passiveInTwoClauses(caption: string, tokens: readonly Token[]): string | undefined {
  const [passive] = passives(caption, tokens);
  if (passive === undefined) return undefined;
  const passiveTokens = tag(passive.text);
  const form = passiveTokens && analyse(passiveTokens);
  if (passiveTokens === undefined || form?.are === undefined) return undefined;
  const { subject, next, are } = form;
  const at = /^(is|are)$/.test(passiveTokens[next]?.lower ?? '') ? next + 1 : next;
  // "There is tennis" is wrong, so a singular noun needs an article.
  if (passiveTokens[at]?.lower !== 'being' || !(subject.determined || subject.plural)) return undefined;
  if (!isSingleOrPlural(passiveTokens, form)) return undefined;
  return clauses(passive.text, passiveTokens, form, { who: subject.to, verb: are ? 'are' : 'is', from: at });
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
  const where = /^(street|beach|town|city)$/.test(subject.head.lower) ? 'on' : 'in';
  const room = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  return `${opening(caption, things)} ${where} ${room}${splitEnd(caption).end}`;
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
  const who = lowerFirst(textOf(caption, tokens, 0, subject.to), tokens);
  return `${opening(caption, thing)} ${textOf(caption, tokens, next, from)} ${who}${splitEnd(caption).end}`;
}
