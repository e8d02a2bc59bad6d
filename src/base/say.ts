/**
 * A text apart from what is filled into it, so that it can be said in another language, too: `words` is the English
 * one, with {0}, {1} and so on where the values go.
 */
export interface Said {
  words: string;
  values: Words[];
}

/** A plain text is said as it is in every language: a name, a caption, what a system answered. */
export type Words = string | Said;

/** say`The photo ${name} was not found.` */
export function say(texts: TemplateStringsArray, ...values: readonly (Words | number)[]): Said {
  return {
    words: texts.reduce((words, text, i) => `${words}{${i - 1}}${text}`),
    values: values.map((value) => (typeof value === 'number' ? String(value) : value)),
  };
}

/** Several in a row. */
export function inARow(parts: readonly Words[], between = ' · '): Words {
  return { words: parts.map((_, i) => `{${i}}`).join(between), values: [...parts] };
}

/** The text in the language of `translated`, which knows some of them. */
export function spoken(words: Words, translated: (words: string) => string): string {
  if (typeof words === 'string') return words;
  const values = words.values.map((value) => spoken(value, translated));
  return translated(words.words).replace(/\{(\d+)\}/g, (hole, i: string) => values[Number(i)] ?? hole);
}

export function english(words: Words): string {
  return spoken(words, (own) => own);
}

/** How long something still takes, as a person says it. */
export function duration(seconds: number): Said {
  if (seconds < 90) return say`${Math.ceil(seconds)} s`;
  if (seconds < 5400) return say`${Math.round(seconds / 60)} min`;
  return say`${(seconds / 3600).toFixed(1)} h`;
}
