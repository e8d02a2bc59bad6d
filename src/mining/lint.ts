import { append } from '../base/lists';
import { say, type Words } from '../base/say';
import { nounPhraseAt } from '../perturb/text/analysis';
import { characterDistance, mostCompared } from '../base/text/levenshtein';
import { isNoun } from '../perturb/text/tags';
import { tag } from '../perturb/text/tagger';
import type { Token } from '../perturb/text/token';
import { paperVocabulary } from '../perturb/text/vocabulary';
import { articleFor } from '../perturb/words/number';
import { distancesOf, isNearest } from './distances';
import { contradiction, type RelationKind, turnedRound } from './relations';
import { readStatement } from './statement';

/** The guidelines in appendix A.1 of the VISLA paper, and the distance that makes a negative compete by its wording. */
export const guidelines = ['detail', 'gender', 'grammar', 'image', 'distance'] as const;
export type Guideline = (typeof guidelines)[number];

export interface Finding {
  guideline: Guideline;
  in: 'caption' | 'second' | 'negative';
  message: Words;
}

export interface Texts {
  caption: string;
  second: string;
  negative: string;
}

/** Hints for the annotator about possible violations of the guidelines. */
export function lint({ caption, second, negative }: Texts): Finding[] {
  const tokens = { caption: wordsOf(caption), second: wordsOf(second), negative: wordsOf(negative) };
  const findings: Finding[] = [];
  for (const field of ['caption', 'second', 'negative'] as const) {
    const text = { caption, second, negative }[field];
    if (text.trim() === '') continue;
    const pronouns = new Set(text.match(/\b(he|she|him|her|his|hers|himself|herself)\b/gi));
    if (pronouns.size > 0)
      findings.push({
        guideline: 'gender',
        in: field,
        message:
          pronouns.size === 1
            ? say('mining.genderStatedByWord', quoted(pronouns))
            : say('mining.genderStatedByWords', quoted(pronouns)),
      });
    append(
      findings,
      slips(text, tokens[field]).map((message) => ({ guideline: 'grammar' as const, in: field, message })),
    );
  }
  if (caption.trim() === '') return findings;
  for (const field of ['second', 'negative'] as const) {
    const added = addedDetail(tokens.caption, tokens[field]);
    if (added.length > 0)
      findings.push({
        guideline: 'detail',
        in: field,
        message: say('mining.detailsAdded', quoted(added)),
      });
  }
  if (negative.trim() !== '') {
    const doubt = [caption, second]
      .filter((text) => text.trim() !== '')
      .map((text) => bothMayHold(text, negative));
    const first = doubt.find((one) => one !== undefined);
    if (first !== undefined) findings.push({ guideline: 'image', in: 'negative', message: first });
    append(findings, distant(caption, second, negative));
  }
  return findings;
}

function distant(...texts: [caption: string, second: string, negative: string]): Finding[] {
  if (texts.some((text) => text.trim() === '' || text.length > mostCompared)) return [];
  const { p1p2, p1n } = distancesOf(texts, characterDistance);
  if (isNearest({ p1p2, p1n })) return [];
  const message = say('mining.negativeTooFar', p1n, p1p2);
  return [{ guideline: 'distance', in: 'negative', message }];
}

function quoted(words: Iterable<string>): string {
  return [...words].map((word) => `"${word}"`).join(', ');
}

function wordsOf(text: string): Token[] {
  return (tag(text) ?? []).filter(({ pos }) => pos !== 'PUNCT' && pos !== 'SPACE');
}

function slips(text: string, words: readonly Token[]): Words[] {
  const found: Words[] = [];
  for (const [i, word] of words.entries()) {
    const next = words.at(i + 1);
    if (next === undefined) break;
    if (word.lower === next.lower && /^\p{L}+$/u.test(word.lower) && !/^(had|that|very)$/.test(word.lower))
      found.push(say('mining.wordRepeated', word.text, next.text));
    else if (/^an?$/.test(word.lower) && /^\p{Ll}/u.test(next.text) && articleFor(next.lower) !== word.lower)
      found.push(say('mining.articleWrong', word.text, next.text, articleFor(next.lower), next.text));
  }
  const subject = nounPhraseAt(words, 0);
  const verb = subject === undefined ? undefined : words.at(subject.to);
  if (subject !== undefined && verb !== undefined && /^(is|are|was|were|has|have)$/.test(verb.lower)) {
    const wants = /^(are|were|have)$/.test(verb.lower);
    // Only a subject directly before its verb is checked. "A dog and a cat are" is skipped.
    if (subject.plural !== wants && subject.head.lower !== 'sheep')
      found.push(say('mining.verbDisagrees', subject.head.text, verb.text));
  }
  if (/\(/.test(text) !== /\)/.test(text)) found.push(say('mining.bracketMissing'));
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) found.push(say('mining.quotationMarkMissing'));
  if (/\s[,.;!?]/.test(text)) found.push(say('mining.spaceBeforePunctuation'));
  return found;
}

const colours = new Set([...paperVocabulary.color, 'grey', 'silver', 'golden', 'beige', 'tan']);
/** Words for a place or a view, not for a thing. */
const manners = new Set(
  'next top side front back middle center centre edge position pose posture perspective view scene image picture photo amidst beside'.split(
    ' ',
  ),
);

function isThing(token: Token): boolean {
  return isNoun(token) && !manners.has(token.lower);
}

/** The nouns, colours and numbers that `other` adds to `own`. A word that replaces another word does not count. */
function addedDetail(own: readonly Token[], other: readonly Token[]): string[] {
  const known = new Set(own.map(stem));
  const added: string[] = [];
  for (const wanted of [
    isThing,
    ({ lower, pos }: Token) => (pos === 'NUM' && lower !== 'one') || colours.has(lower),
  ]) {
    const before = own.filter(wanted).length;
    const after = other.filter(wanted);
    const more = after.length - before;
    if (more > 0)
      append(
        added,
        after
          .filter((word) => !known.has(stem(word)))
          .slice(-more)
          .map(({ text }) => text),
      );
  }
  return added;
}

/** Pairs of relations that can be true at once: a cup that is on a table also touches the table. */
const together: readonly (readonly [RelationKind, RelationKind])[] = [
  ['on', 'above'],
  ['on', 'touching'],
  ['near', 'touching'],
  ['attached', 'touching'],
  ['attached', 'near'],
  ['in', 'surrounded'],
];

function implied(a: RelationKind, b: RelationKind): boolean {
  return a === b || together.some(([one, other]) => (a === one && b === other) || (a === other && b === one));
}

export const denials =
  /\b(not|no|without|none|never|nobody|nothing|neither|nor|cannot|empty|devoid|n't)\b|n't\b/i;

/** Returns the reason why both texts may be true of one image. Returns undefined if the words show no reason. */
function bothMayHold(positive: string, negative: string): Words | undefined {
  const [a, b] = [readStatement(positive), readStatement(negative)];
  if (a !== undefined && b !== undefined) {
    const same = a.subject === b.subject && a.object === b.object;
    const crossed = a.subject === b.object && a.object === b.subject;
    if (same || crossed) {
      const kind = same ? b.relation.kind : turnedRound(b.relation.kind);
      if (contradiction(a.relation.kind, kind) > 0) return undefined;
      if (implied(a.relation.kind, kind))
        return say('mining.relationsBothTrue', a.relation.phrase, b.relation.phrase);
      return undefined;
    }
  }
  if (denials.test(positive) !== denials.test(negative)) return undefined;
  const [left, right] = [mainWords(positive), mainWords(negative)];
  if (right.length < left.length && isWithin(right, left)) return say('mining.negativeOmitsWords');
  if (left.length < right.length && isWithin(left, right)) return say('mining.negativeAddsWords');
  return undefined;
}

function mainWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => !/^(a|an|the|is|are|there|that|which)$/.test(word),
  );
}

/** Whether the words of `part` occur in `whole`, in the same order. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const word of whole) if (word === part[at]) at++;
  return at === part.length;
}

/** Removes endings, so that "dogs" matches "dog" and "walking" matches "walks". */
function stem({ lower }: Token): string {
  return lower.length > 4 ? lower.replace(/(ing|ed|es|s)$/, '') : lower.replace(/s$/, '');
}
