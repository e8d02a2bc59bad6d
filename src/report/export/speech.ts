/* Writes messages, texts and numbers in the language of a page. */
import { englishOf, type Language } from '../../base/english';
import { numberIn, spoken, type Words } from '../../base/say';

/** A language other than English. */
export interface Translation extends Language {
  language: string;
}

export interface Speech {
  language: string;
  /** Also translates known texts, such as a probe's question, and formats numbers. */
  say(words: Words): string;
  /** A date and time, to the minute. */
  date(moment: Date): string;
}

export const inEnglish: Speech = {
  language: 'en',
  say: (words) => (typeof words === 'string' ? withMinus(words) : spoken(words, englishOf, withMinus)),
  date: dateIn('en'),
};

/** Numbers and intervals, but no dates and versions. */
const numbers = /^\[?[+-]?[\d.][\d.,e+ %-]*\]?$/;

/** Numbers have a minus sign on pages, as in the panel. Files for programs keep the hyphen. */
function withMinus(text: string): string {
  return numbers.test(text) ? text.replace(/(?<=^|\[|, )-/g, '−') : text;
}

export function speechIn({ language, texts, messages }: Translation): Speech {
  const known = (own: string) => (Object.hasOwn(texts, own) ? texts[own] : own);
  const sentenceOf = (code: string) =>
    Object.hasOwn(messages, code) ? messages[code] : known(englishOf(code));
  const number = (own: string) =>
    own
      .split(' · ')
      .map((part) => numberIn(language, withMinus(part)))
      .join(' · ');
  const say = (words: Words) =>
    typeof words === 'string' ? number(known(words)) : spoken(words, sentenceOf, number);
  return { language, say, date: dateIn(language) };
}

function dateIn(language: string): (moment: Date) => string {
  return (moment) => moment.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
