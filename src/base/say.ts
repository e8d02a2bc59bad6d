/** A translatable text: the English template with {0}, {1}, … and the values for them. */
export interface Said {
  words: string;
  values: Words[];
}

/** A plain string is never translated, because it is a name, a caption or a system message. */
export type Words = string | Said;

/** Usage: say`The image ${name} was not found.` */
export function say(texts: TemplateStringsArray, ...values: readonly (Words | number)[]): Said {
  return {
    words: texts.reduce((words, text, i) => `${words}{${i - 1}}${text}`),
    values: values.map((value) => (typeof value === 'number' ? String(value) : value)),
  };
}

/** Joins several texts with a separator. */
export function inARow(parts: readonly Words[], between = ' · '): Words {
  return { words: parts.map((_, i) => `{${i}}`).join(between), values: [...parts] };
}

/** Numbers in English, such as "1,234", "+.083", "59.5 %" or "[0.1, 0.2]". */
const number = /^\[?[+−±-]?\.?\d(?:[\d.,–−+% [\]]|(?<=, )-)*$/;

/** Formats an English number for a language. Other texts, such as version numbers, stay unchanged. */
export function numberIn(language: string, text: string): string {
  if (!language.startsWith('de') || !number.test(text) || /\.\d*\./.test(text.replace(/, |–/g, ' ')))
    return text;
  return text
    .split(', ')
    .map((part) =>
      part.replace(/(?<!\d)\.(?=\d)/g, '0.').replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')),
    )
    .join('; ');
}

/**
 * Translates a text with `translated`. Templates without a translation stay English. `inLanguage` formats the
 * numbers.
 */
export function spoken(
  words: Words,
  translated: (words: string) => string,
  inLanguage: (value: string) => string = (value) => value,
): string {
  if (typeof words === 'string') return words;
  const values = words.values.map((value) =>
    typeof value === 'string' ? inLanguage(value) : spoken(value, translated, inLanguage),
  );
  return translated(words.words).replace(/\{(\d+)\}/g, (hole, i: string) => values[Number(i)] ?? hole);
}

/** Changes every value of a text, for example to hide a secret. */
export function withValues(words: Words, change: (value: string) => string): Words {
  if (typeof words === 'string') return change(words);
  return { words: words.words, values: words.values.map((value) => withValues(value, change)) };
}

export function english(words: Words): string {
  return spoken(words, (own) => own);
}

export function duration(seconds: number): Said {
  if (seconds < 90) return say`${Math.ceil(seconds)} s`;
  if (seconds < 5400) return say`${Math.round(seconds / 60)} min`;
  return say`${(seconds / 3600).toFixed(1)} h`;
}
