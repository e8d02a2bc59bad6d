/* Which items have a caption in another language than most items. */
import type { Steps } from '../../base/turns/steps';
import { readingOf } from '../../perturb/text/language';
import type { Corpus } from './blind/corpus';

const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
  korean: /\p{Script=Hangul}/gu,
  // Japanese uses Chinese characters, too.
  eastAsian: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
};
const latinOnly = /^[\p{Script=Latin}\P{L}]*$/u;
const english = 'english';
const stepEvery = 10_000;

/**
 * English is told from other languages by frequent words. Others are told apart by their script only, because single
 * captions are too short to recognise languages.
 */
export function* otherLanguages({ texts, items, options }: Corpus): Steps<Uint8Array> {
  const groups: string[] = [];
  for (const [i, text] of texts.entries()) {
    if (i % stepEvery === 0) yield;
    groups.push(groupOf(text));
  }
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  counts.delete('');
  const [main] = [...counts].reduce((most, own) => (own[1] > most[1] ? own : most), ['', 0]);
  const isOther = groups.map((group) => group !== '' && group !== main);
  // English in a file of another language with Latin letters is not told from it: few words may be frequent ones.
  if (main !== english)
    for (const [i, group] of groups.entries()) if (group === english) isOther[i] = main !== 'latin';
  return Uint8Array.from(items, (_, i) => (options.at(i).some((text) => isOther[text]) ? 1 : 0));
}

/** English, or the script of another language. Empty without letters. */
function groupOf(text: string): string {
  const reading = readingOf(text);
  if (reading === 'english') return english;
  if (reading !== 'other-language') return '';
  if (latinOnly.test(text)) return 'latin';
  const counts = Object.entries(scripts).map(
    ([name, letters]) => [name, text.match(letters)?.length ?? 0] as const,
  );
  const [script, count] = counts.reduce((most, own) => (own[1] > most[1] ? own : most));
  return count === 0 ? 'other' : script;
}
