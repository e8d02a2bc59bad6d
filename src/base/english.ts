import messages from '../../l10n/messages.en.json';
import { numberForms, spoken, type Words } from './say';

/** The English sentences by code. */
export const sentences: Readonly<Record<string, string>> = messages;

export function english(words: Words): string {
  return spoken(words, englishOf);
}

/** Of a code that this version does not know, the code itself. */
export function englishOf(code: string): string {
  return Object.hasOwn(sentences, code) ? sentences[code] : code;
}

/** The translations to one language: of messages by code, and of other texts by their English text. */
export interface Language {
  messages: Readonly<Record<string, string>>;
  texts: Readonly<Record<string, string>>;
}

/** `bundle`: the translations, or undefined for English. Reports have English sentences, so these are texts, too. */
export function languageOf(bundle: Readonly<Record<string, string>> | undefined): Language {
  if (bundle === undefined) return { messages: {}, texts: {} };
  const isCode = ([key]: readonly [string, string]) => Object.hasOwn(sentences, key);
  const coded = Object.entries(bundle).filter(isCode);
  const labels = Object.entries(bundle).filter((entry) => !isCode(entry));
  return {
    messages: Object.fromEntries(coded),
    texts: Object.fromEntries([
      ...coded.flatMap(([code, own]) => translations(sentences[code], own)),
      ...labels,
    ]),
  };
}

/** The translation of a sentence, or of its singular and its plural, because reports contain one of these. */
function translations(sentence: string, own: string): [string, string][] {
  const forms = numberForms(own);
  return numberForms(sentence).map((form, i) => [form, forms.at(i) ?? forms[0]]);
}
