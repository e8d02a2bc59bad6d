import { spoken, type Words } from '../../src/base/say';

/** What the host has put into the page: texts of the editor's language by the English ones; nothing where that is English. */
const translated = JSON.parse(document.body.dataset.words ?? '{}') as Readonly<Record<string, string>>;

/** What the host says in words of its own, or a text it knows by heart, such as a value of a filter. */
export function localized(words: Words): string {
  return typeof words === 'string' ? known(words) : spoken(words, known);
}

/** In the editor's language, with {0}, {1} and so on where the values go. */
export function t(text: string, ...values: (string | number)[]): string {
  return localized({ words: text, values: values.map(String) });
}

function known(text: string): string {
  return Object.hasOwn(translated, text) ? translated[text] : text;
}
