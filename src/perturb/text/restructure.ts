import { analyse, mayBeFinite, nounPhraseAt, textOf, type Form } from './analysis';
import { onlyPlaces } from './passive';
import type { Token } from './token';
import { lowerFirst, splitEnd } from './templates';
import { variantOf, type TextVariant } from './variant';
import { beings, containers, list, people, scenes, states } from './words';

type Rule = (caption: string, tokens: readonly Token[], form: Form) => string | undefined;

/** The rules that change the structure, by name. Each rule makes at most one text. */
const rules: Readonly<Record<string, Rule>> = {
  'there is': thereIs,
  'add is': addIs,
  'drop is': dropIs,
  'who is': whoIs,
  front: frontScene,
  'swap and': swapAnd,
  'that has': thatHas,
};

/** The caption with its phrases in another order or in another kind of clause, once per rule that applies. */
export function restructurings(caption: string, tokens: readonly Token[]): TextVariant[] {
  const form = analyse(tokens);
  if (form === undefined || form.marks) return [];
  return Object.entries(rules).flatMap(([name, rule]) => {
    const text = rule(caption, tokens, form);
    if (text === undefined) return [];
    return [
      variantOf(caption, text, { family: 'paraphrase', kind: 'restructure', rule: `restructure: ${name}` }),
    ];
  });
}

const isThere = (tokens: readonly Token[]): boolean => tokens[0].lower === 'there';
const capitalised = (caption: string, text: string): string =>
  /^\p{Lu}/u.test(caption) ? text[0].toUpperCase() + text.slice(1) : text;

/** "Two dogs on a couch" → "There are two dogs on a couch"; "There is a dog …" → "A dog is …". */
export function thereIs(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, are, next, end } = form;
  if (form.namesImage || are === undefined) return undefined;
  if (isThere(tokens)) {
    const rest = tokens.slice(next, end);
    if (
      rest.length === 0 ||
      mayBeFinite(rest) ||
      !subject.indefinite ||
      (are ? 'are' : 'is') !== tokens[1].lower
    )
      return undefined;
    if (!opensPredicate(tokens, next)) return undefined;
    const text = `${textOf(caption, tokens, subject.from, subject.to)} ${tokens[1].text} ${caption.slice(tokens[next].start)}`;
    return capitalised(caption, text);
  }
  if (form.finite || !subject.indefinite || (!subject.determined && !subject.plural)) return undefined;
  if (next < end && !opensPhrase(tokens, next)) return undefined;
  return `${capitalised(caption, 'there')} ${are ? 'are' : 'is'} ${lowerFirst(caption, tokens)}`;
}

/** Whether the word may follow a subject without a finite verb: -ing form, participle or preposition. */
function opensPhrase(tokens: readonly Token[], at: number): boolean {
  const { pos, lower } = tokens[at];
  return opensPredicate(tokens, at) || (pos === 'ADP' && /^(with|of|near|by|behind)$/.test(lower));
}

/** Whether the word may follow "is": a participle, a preposition of place, or "next" before "to". */
function opensPredicate(tokens: readonly Token[], at: number): boolean {
  const { pos, lower } = tokens[at];
  if (pos === 'VERB' && states.has(lower)) {
    // In "a custom built motorcycle", the participle belongs to the noun phrase.
    const after = tokens[at + 1];
    return (
      after === undefined || !/^(NOUN|PROPN|ADJ|NUM|DET|VERB)$/.test(after.pos) || after.lower === 'next'
    );
  }
  if (pos === 'VERB') return lower.endsWith('ing') && !holdsAlways.has(lower);
  if (lower === 'next') return tokens[at + 1]?.lower === 'to';
  return (
    pos === 'ADP' &&
    /^(in|on|at|near|behind|under|inside|beside|beneath|underneath|atop|outside)$/.test(lower)
  );
}

/** -ing words that may be states or prepositions, such as "facing". `addIs` does not add "is" before them. */
const holdsAlways = list(
  'containing featuring having including showing displaying consisting resembling belonging surrounding depicting saying reading facing seeing overlooking being lining during considering regarding following',
);

export function isStative(verb: string): boolean {
  return holdsAlways.has(verb);
}

/** "A man riding a horse" becomes "A man is riding a horse". */
export function addIs(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, are, next, end } = form;
  if (isThere(tokens) || form.finite || are === undefined || form.namesImage) return undefined;
  if (!subject.determined && !subject.plural) return undefined;
  const verb = tokens[next];
  if (next >= end || verb.pos !== 'VERB' || !opensPredicate(tokens, next)) return undefined;
  const more = tokens
    .slice(next + 1, end)
    .filter(({ pos, lower }) => pos === 'VERB' && lower.endsWith('ing'));
  // In "a man wearing a hat riding a horse", the first verb only describes the subject.
  if (more.length > 0 && (states.has(verb.lower) || /^(wearing|holding|carrying|using)$/.test(verb.lower)))
    return undefined;
  if (tokens.slice(next, end).some(({ lower }) => lower === 'and') && more.length > 0) return undefined;
  return `${caption.slice(0, verb.start)}${are ? 'are' : 'is'} ${caption.slice(verb.start)}`;
}

/** "A man is riding a horse" becomes "A man riding a horse". */
export function dropIs(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { next, end } = form;
  if (isThere(tokens) || form.namesImage) return undefined;
  const be = tokens[next];
  if (next + 1 >= end || !/^(is|are)$/.test(be?.lower ?? '')) return undefined;
  if (!opensPredicate(tokens, next + 1) || mayBeFinite(tokens.slice(next + 1, end))) return undefined;
  return caption.slice(0, be.start) + caption.slice(tokens[next + 1].start);
}

/** "a man who is riding a horse" becomes "a man riding a horse". */
function whoIs(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const at = tokens.findIndex(
    ({ lower }, i) => /^(who|that|which)$/.test(lower) && /^(is|are)$/.test(tokens[i + 1]?.lower ?? ''),
  );
  if (at < 1 || at + 2 >= form.end) return undefined;
  const noun = tokens[at - 1];
  if (!/^(NOUN|PROPN)$/.test(noun.pos) || !opensPredicate(tokens, at + 2)) return undefined;
  if (tokens[at + 2].pos !== 'VERB') return undefined;
  return caption.slice(0, tokens[at].start) + caption.slice(tokens[at + 2].start);
}

/** "A man sitting on a bench in a park" becomes "In a park, a man sitting on a bench". */
export function frontScene(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end } = form;
  if (form.namesImage || isThere(tokens) || !beings.has(subject.head.lower)) return undefined;
  let at = end - 1;
  while (at > next && tokens[at].pos !== 'ADP') at--;
  if (at <= next || !/^(in|on|at)$/.test(tokens[at].lower)) return undefined;
  const place = nounPhraseAt(tokens, at + 1);
  if (place?.to !== end || !place.determined || place.possessive || !scenes.has(place.head.lower))
    return undefined;
  if (!subject.determined && !subject.plural) return undefined;
  const middle = tokens.slice(next, at);
  // In "staring at some people in the lake", the people may be in the lake.
  if (middle.some(({ lower }) => beings.has(lower))) return undefined;
  if (
    middle.some(({ lower, pos }) => pos === 'CCONJ' || pos === 'SCONJ' || pos === 'PRON' || loose.has(lower))
  )
    return undefined;
  if (!/^(VERB|AUX)$/.test(middle[0]?.pos ?? '')) return undefined;
  const last = tokens[at - 1];
  if (last.pos === 'ADP' || last.pos === 'AUX' || /^(up|out|off|over|back|away)$/.test(last.lower))
    return undefined;
  // "In a field, a cow standing" is ungrammatical without "is".
  const verbs = middle.filter(({ pos }) => pos === 'VERB' || pos === 'AUX');
  if (last.pos === 'VERB' && (verbs.length > 2 || !mayBeFinite(middle))) return undefined;
  const { end: stop } = splitEnd(caption);
  const front = textOf(caption, tokens, at, end);
  const rest = lowerFirst(textOf(caption, tokens, 0, at), tokens);
  return `${capitalised(caption, front)}, ${rest}${stop}`;
}

/** After one of these words, the last phrase may describe a noun other than the subject. */
const loose = list(
  'with behind through over past watching looking facing about like than while as towards toward between around outside into to for from',
);

const fixedPairs = list(
  'salt pepper macaroni cheese fish chips bed breakfast peanut jelly black white bride groom ham eggs',
);

/** "with a sink and a toilet" → "with a toilet and a sink", at the end of a caption, with determiners. */
function swapAnd(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { end } = form;
  const and = tokens.findIndex(({ lower }) => lower === 'and');
  if (and < 0 || tokens.slice(and + 1, end).some(({ lower }) => lower === 'and')) return undefined;
  const second = nounPhraseAt(tokens, and + 1);
  if (second?.to !== end || !second.determined || second.possessive) return undefined;
  const withAt = tokens.findIndex(({ lower }, i) => i < and && lower === 'with');
  if (withAt < 0) return undefined;
  const first = nounPhraseAt(tokens, withAt + 1);
  if (first?.to !== and || !first.determined || first.possessive) return undefined;
  if (beings.has(first.head.lower) || beings.has(second.head.lower)) return undefined;
  // In "a laptop and three other monitors", "other" refers back to the first noun.
  if (tokens.slice(first.from, end).some(({ lower }) => /^(an)?other$/.test(lower))) return undefined;
  if (fixedPairs.has(first.head.lower) || fixedPairs.has(second.head.lower)) return undefined;
  const a = textOf(caption, tokens, first.from, first.to);
  const b = textOf(caption, tokens, second.from, second.to);
  return (
    caption.slice(0, tokens[first.from].start) +
    `${b} ${tokens[and].text} ${a}` +
    caption.slice(tokens[end - 1].end)
  );
}

/** "A kitchen with a stove" becomes "A kitchen that has a stove". */
function thatHas(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end, are } = form;
  if (isThere(tokens) || form.finite || form.namesImage || tokens[next]?.lower !== 'with') return undefined;
  if (!containers.has(subject.head.lower) || are !== false || next + 1 >= end) return undefined;
  const had = nounPhraseAt(tokens, next + 1);
  if (had === undefined || people.has(had.head.lower)) return undefined;
  if (tokens.slice(next, end).some(({ pos }) => pos === 'VERB')) return undefined;
  if (had.to < end && tokens[had.to].lower !== 'and' && !onlyPlaces(tokens, had.to, end)) return undefined;
  return `${caption.slice(0, tokens[next].start)}that has${caption.slice(tokens[next].end)}`;
}
