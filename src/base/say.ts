import type messages from '../../l10n/messages.en.json';

/**
 * Names a message. l10n/messages.en.json has its English sentence, with {0}, {1}, … for the values, and
 * {0|image|images} for a noun that depends on the number {0}.
 */
export type Code = keyof typeof messages;

/** A message: its code and its values. It becomes a sentence where it is shown. */
export interface Said {
  /** Messages of other versions may have codes that this version does not know. */
  code: string;
  values: Words[];
}

/** A plain string is never translated, because it is a name, a caption or a system message. */
export type Words = string | Said;

/** Whether a value of unknown data is a message. */
export function isSaid(value: unknown): value is Said {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'code,values' &&
    typeof (value as Said).code === 'string' &&
    Array.isArray((value as Said).values)
  );
}

/** Usage: say('dataset.imageMissing', name) */
export function say(code: Code, ...values: readonly (Words | number)[]): Said {
  return { code, values: values.map((value) => (typeof value === 'number' ? String(value) : value)) };
}

/** The code of several texts in a row. The first value is the separator. */
const row = 'row';

/** Joins several texts with a separator. */
export function inARow(parts: readonly Words[], between = ' · '): Said {
  return { code: row, values: [between, ...parts] };
}

/** Sentences one after another. Undefined ones are left out. */
export function together(...sentences: readonly (Words | undefined)[]): Words {
  const all = sentences.filter((one) => one !== undefined && one !== '');
  return all.length === 1 ? all[0]! : inARow(all as Words[], ' ');
}

/** Numbers in English, such as "1,234", "+.083", "59.5 %", "1.2e-7" or "[0.1, 0.2]". */
const number = /^\[?[+−±-]?\.?\d(?:[\d.,–−+% [\]]|(?<=, )-|(?<=\d)e[+-]?(?=\d))*$/;

/** Formats an English number or p value for a language. Other texts, such as version numbers, stay unchanged. */
export function numberIn(language: string, text: string): string {
  if (/^p [=<] /.test(text)) return text.slice(0, 4) + numberIn(language, text.slice(4));
  if (text.endsWith(' SD')) return `${numberIn(language, text.slice(0, -3))} SD`;
  if (!language.startsWith('de') || !number.test(text) || /\.\d*\./.test(text.replace(/, |–/g, ' ')))
    return text;
  return text
    .split(', ')
    .map((part) =>
      part.replace(/(?<!\d)\.(?=\d)/g, '0.').replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')),
    )
    .join('; ');
}

/** Makes the sentence of a message. `sentenceOf` finds it by its code. `inLanguage` formats the numbers. */
export function spoken(
  words: Words,
  sentenceOf: (code: string) => string,
  inLanguage: (value: string) => string = (value) => value,
): string {
  if (typeof words === 'string') return words;
  const values = words.values.map((value) =>
    typeof value === 'string' ? inLanguage(value) : spoken(value, sentenceOf, inLanguage),
  );
  if (words.code === row) return values.slice(1).join(values[0]);
  const sentence = sentenceOf(words.code);
  // A message of another version: its code and values say more than nothing.
  if (sentence === words.code) return [sentence, ...values].join(': ');
  return filled(sentence, values);
}

/** {0} is the place of a value. {0|image|images} is the noun that fits the number {0}. */
const places = /\{(\d+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

/** Puts the values into a sentence. */
export function filled(sentence: string, values: readonly string[]): string {
  return sentence.replace(places, (place, i: string, one: string | undefined, other: string | undefined) => {
    const value = values.at(Number(i));
    return (one === undefined || value === undefined ? value : value === '1' ? one : other) ?? place;
  });
}

/** The message with this code: the words themselves, or a part of them. */
export function findSaid(words: Words | undefined, code: Code): Said | undefined {
  if (words === undefined || typeof words === 'string') return undefined;
  if (words.code === code) return words;
  for (const value of words.values) {
    const found = findSaid(value, code);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Changes every value of a text, for example to hide a secret. */
export function withValues(words: Words, change: (value: string) => string): Words {
  if (typeof words === 'string') return change(words);
  return { code: words.code, values: words.values.map((value) => withValues(value, change)) };
}

export function duration(seconds: number): Said {
  if (seconds < 90) return say('base.durationSeconds', Math.ceil(seconds));
  if (seconds < 5400) return say('base.durationMinutes', Math.round(seconds / 60));
  return say('base.durationHours', (seconds / 3600).toFixed(1));
}
