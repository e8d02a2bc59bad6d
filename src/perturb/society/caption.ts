import { conceptOf, isListed } from '../words/concepts';
import { frequencyOf } from '../words/fit';
import { articleFor, singular } from '../words/number';
import type { Lexicon, LexiconWord } from './lexicon';
import { endOf } from '../../base/text/ends';

export type WordKind = 'adjective' | 'noun';

export function kindOf({ as = 'adjective' }: LexiconWord): WordKind {
  return as;
}

/**
 * Makes "There is a bed." An adjective goes before the object: "There is an African bed." A noun replaces the object:
 * "There is a boy."
 */
export function templateCaption(
  lexicon: Lexicon,
  label: string,
  word?: { word: string; kind: WordKind },
): string {
  const { base, attribute } = lexicon.templates;
  if (word === undefined) return filled(base, '', objectPhrase(lexicon, label, ''));
  if (word.kind === 'noun') return filled(base, '', word.word);
  const named = lexicon.objects[nounOf(label).toLowerCase()];
  if (named === undefined) return filled(attribute, word.word, nounOf(label));
  return filled(base, '', objectPhrase(lexicon, label, word.word));
}

/** Adds a place to a generated caption: "There is a dog on the left." */
export function withPlace(caption: string, place: string): string {
  const said = caption.trimEnd();
  const end = endOf(said, /[.!?]/);
  return `${said.slice(0, end)} ${place}${said.slice(end)}`;
}

function filled(template: string, word: string, object: string): string {
  const said = template.replace('{word}', word).replace('{object}', object).replace(/ {2,}/g, ' ');
  const after = /\{a\}\s+([^\s.,!?]+)/.exec(said)?.[1] ?? '';
  return said.replace('{a}', articleFor(after));
}

/** The first name in a label such as "Monitor/TV", without bracketed text. Only abbreviations keep capitals. */
export function nounOf(label: string): string {
  const name = label
    .split('/')[0]
    .replace(/\([^()]*\)/g, '')
    .trim();
  return /^[A-Z]{2,}$/.test(name) ? name : name.toLowerCase();
}

function objectPhrase(lexicon: Lexicon, label: string, word: string): string {
  const noun = nounOf(label);
  const named = lexicon.objects[noun.toLowerCase()];
  if (named === undefined) return word === '' ? noun : `${word} ${noun}`;
  return named.replace('{word}', word).replace(/ {2,}/g, ' ').trim();
}

/**
 * The lexicon's control word for `word`. By default, it is the one closest in length to `word`. After a tie, the
 * difference in length from the counterpart of `word` decides, and then the frequency in captions.
 */
export function controlFor(lexicon: Lexicon, word: LexiconWord): string {
  if (word.control !== undefined) return word.control;
  const distance = (control: string, to: string): number => Math.abs(control.length - to.length);
  const rank = (control: string): [number, number, number] => {
    const own = distance(control, word.word);
    return [own, own + distance(control, word.against ?? word.word), -frequencyOf(control)];
  };
  return [...lexicon.controls[kindOf(word)]].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const at = left.findIndex((value, i) => value !== right[i]);
    return at < 0 ? (a < b ? -1 : 1) : left[at] - right[at];
  })[0];
}

/** Words that describe a person: a plain woman is not pretty, and beside a normal one others are not. */
const describesPeople = /^(plain|normal|common|basic|usual|standard)$/;

/** The control word for `word` before this noun: `controlFor`, or a word that says nothing about a person. */
export function controlBefore(lexicon: Lexicon, word: LexiconWord, noun: string): string {
  const control = controlFor(lexicon, word);
  const isOfPerson = conceptOf(singular(noun.toLowerCase(), isListed)) === 'person';
  return isOfPerson && describesPeople.test(control) ? 'ordinary' : control;
}
