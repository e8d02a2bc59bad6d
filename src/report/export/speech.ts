/* Translates the English texts of reports and charts into the language of a page. */
import { english, englishOf, type Language } from '../../base/english';
import { numberIn, spoken, type Words } from '../../base/say';
import { Templates } from '../../base/text/templates';
import { inTodaysWords } from './formerWords';

/** A language other than English. */
export interface Translation extends Language {
  language: string;
}

export interface Speech {
  language: string;
  say(words: Words): string;
  /** Translates a text of a report or chart, or formats a number. */
  text(own: string): string;
  /** A date and time, to the minute. */
  date(moment: Date): string;
}

export const inEnglish: Speech = { language: 'en', say: english, text: (own) => own, date: dateIn('en') };

export function speechIn({ language, texts, messages }: Translation): Speech {
  const templates = new Templates(Object.keys(texts));
  const known = (own: string) => (Object.hasOwn(texts, own) ? texts[own] : own);
  const sentenceOf = (code: string) =>
    Object.hasOwn(messages, code) ? messages[code] : known(englishOf(code));
  const number = (own: string) =>
    own
      .split(' · ')
      .map((part) => numberIn(language, part))
      .join(' · ');
  const told = (words: Words) =>
    typeof words === 'string' ? number(known(words)) : spoken(words, sentenceOf, number);
  const text = (own: string) => {
    const words = templates.wordsOf(inTodaysWords(own));
    // A text without a translation keeps the words of its report.
    return told(typeof words === 'string' ? own : words);
  };
  return { language, say: told, text, date: dateIn(language) };
}

function dateIn(language: string): (moment: Date) => string {
  return (moment) => moment.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
