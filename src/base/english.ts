import { isSaid, spoken, type Words } from './say';

/** Node.js and esbuild have it. The pages' types do not. */
declare const require: (path: string) => unknown;

let loaded: Readonly<Record<string, string>> | undefined;

/** The English sentences by code. They load with the first use, because the editor starts earlier without them. */
export function sentences(): Readonly<Record<string, string>> {
  return (loaded ??= require('../../l10n/messages.en.json') as Readonly<Record<string, string>>);
}

export function english(words: Words): string {
  return spoken(words, englishOf);
}

/** A copy of a value for other programs, with a sentence in place of each message. */
export function withSentences(value: unknown): unknown {
  if (isSaid(value)) return english(value);
  if (Array.isArray(value)) return value.map(withSentences);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, withSentences(own)]));
}

/** Of a code that this version does not know, the code itself. */
export function englishOf(code: string): string {
  const all = sentences();
  return Object.hasOwn(all, code) ? all[code] : code;
}

/** The translations to one language: of messages by code, and of other texts by their English text. */
export interface Language {
  messages: Readonly<Record<string, string>>;
  texts: Readonly<Record<string, string>>;
}

/** `bundle`: the translations, or undefined for English. Values of filters are English sentences, so these are texts, too. */
export function languageOf(bundle: Readonly<Record<string, string>> | undefined): Language {
  if (bundle === undefined) return { messages: {}, texts: {} };
  const all = sentences();
  const isCode = ([key]: readonly [string, string]) => Object.hasOwn(all, key);
  const coded = Object.entries(bundle).filter(isCode);
  const labels = Object.entries(bundle).filter((entry) => !isCode(entry));
  return {
    messages: Object.fromEntries(coded),
    texts: Object.fromEntries([...coded.map(([code, own]) => [all[code], own]), ...labels]),
  };
}
