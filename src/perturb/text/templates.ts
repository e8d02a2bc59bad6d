import { analyse } from './analysis';
import { isCommonWord } from './tagger';
import type { Token } from './token';
import { variantOf, type TextVariant } from './variant';
import { alwaysCapital } from './words';
import { endOf } from '../../base/text/ends';

/** The paper's nine templates in order. {c} is the caption. */
export const templates = [
  'a photo of {c}',
  'an image of {c}',
  'a picture of {c}',
  '{c}',
  '{c} in the scene',
  'a scene showing {c}',
  'In this image, {c}',
  'In the picture, {c}',
  'This image shows {c}',
] as const;

/** The paper's literal templates, which keep the caption's capital and full stop. */
export function asInPaper(caption: string): TextVariant[] {
  return templates.map((template) => {
    const [before, after] = template.split('{c}');
    const text = before + caption + after;
    // The position is computed. A search could match the "a" of "a photo of" with an "a" of the caption.
    const at = before === '' ? caption.length : 0;
    return { text, ...made(template), was: [at, at], span: [at, at + before.length + after.length] };
  });
}

/** Captions that mention an image, such as "A black and white photo of a dog": a template would, again. */
const ofImage =
  /^(\p{L}+[ -]){0,4}(photo|photograph|picture|image|shot|view|close-?up|close up|portrait|snapshot|painting|drawing)s? (view )?of\b/iu;

export function mentionsImage(caption: string): boolean {
  return ofImage.test(caption);
}

/** Whether a caption can follow "a photo of". Sentences cannot, and unclear captions are not tried. */
export function canFollowOf(tokens: readonly Token[]): boolean {
  const form = analyse(tokens);
  return form !== undefined && !form.finite;
}

export function isTemplate(caption: string, text: string): boolean {
  return templates.some((template) => template.replace('{c}', () => caption) === text);
}

/**
 * The templates in natural form, without a capital or full stop inside. Some, such as "a photo of", need a
 * noun phrase. A caption that already mentions an image gets no template.
 */
export function asWritten(caption: string, tokens: readonly Token[] | undefined): TextVariant[] {
  if (tokens === undefined || tokens.length === 0 || mentionsImage(caption)) return [];
  const { body, end } = splitEnd(caption);
  const inside = inCapitals(caption) ? body : lowerFirst(body, tokens);
  const isNounPhrase = canFollowOf(tokens);
  return templates.flatMap((template) => {
    const nounPhraseOnly = /(of|showing|shows) \{c\}$/.test(template);
    if (nounPhraseOnly && !isNounPhrase) return [];
    const filled = fillTemplate(template, caption, template.startsWith('{c}') ? body : inside) + end;
    const text = /^\p{Lu}/u.test(caption) ? filled[0].toUpperCase() + filled.slice(1) : filled;
    return [variantOf(caption, text, made(template))];
  });
}

/** Whether all letters of a caption are capitals. */
export function inCapitals(caption: string): boolean {
  return /\p{Lu}/u.test(caption) && caption === caption.toUpperCase();
}

/** Fills a template. If the caption is in capitals, so are the template's words. */
export function fillTemplate(template: string, caption: string, inside: string): string {
  const parts = template.split('{c}');
  return (inCapitals(caption) ? parts.map((part) => part.toUpperCase()) : parts).join(inside);
}

function made(rule: string): { family: 'paraphrase'; kind: string; rule: string } {
  return { family: 'paraphrase', kind: 'template', rule };
}

export function splitEnd(caption: string): { body: string; end: string } {
  const at = endOf(caption, /[.!?…]/);
  return { body: caption.slice(0, at).trimEnd(), end: caption.slice(at) };
}

/** Makes the first letter lower case, unless the first word is a name, an abbreviation or "I". */
export function lowerFirst(text: string, tokens: readonly Token[]): string {
  const first = tokens[0];
  if (first === undefined || first.start !== 0) return text;
  return keepsCapital(first) ? text : text[0].toLowerCase() + text.slice(1);
}

/** The tagger often calls a capitalised first word a name, so the lexicon decides. */
function keepsCapital({ text, lower, pos }: Token): boolean {
  if (text === 'I' || /^.+\p{Lu}/u.test(text) || alwaysCapital.has(lower)) return true;
  return pos === 'PROPN' && !isCommonWord(lower);
}
