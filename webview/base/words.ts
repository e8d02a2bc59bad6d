import { observationCount } from '../../src/base/text/observations';
import { englishOf, type Language } from '../../src/base/english';
import { filled, numberIn, spoken, type Words } from '../../src/base/say';
import { inEnglish } from './format';

/** The extension host provides the language. In English, it has no translations. */
const { messages, texts } = JSON.parse(
  document.body.dataset.language ?? '{"messages":{},"texts":{}}',
) as Language;

/** Translates a text of the extension host, or a known string such as a facet value. */
export function localized(words: Words): string {
  return typeof words === 'string' ? known(words) : spoken(words, sentenceOf, localNumber);
}

/** Writes an English number in the language of the page. */
export function localNumber(text: string): string {
  return numberIn(document.documentElement.lang, text);
}

/** Such as "12 images", or "12 clusters (patient)" if the user named the column of the clusters. */
export function observed(count: number, cluster: string | undefined): string {
  return localized(observationCount(inEnglish.whole(count), cluster));
}

/** Translates a text and replaces {0}, {1}, … with the values. */
export function t(text: string, ...values: (string | number)[]): string {
  return filled(known(text), values.map(String));
}

function known(text: string): string {
  return Object.hasOwn(texts, text) ? texts[text] : text;
}

function sentenceOf(code: string): string {
  return Object.hasOwn(messages, code) ? messages[code] : known(englishOf(code));
}
