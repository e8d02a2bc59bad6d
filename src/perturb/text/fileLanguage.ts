import { readingOf } from './language';

/**
 * The least number of letters to recognise a language. For three English captions franc fails in 4 of 500
 * cases, for five in none.
 */
const leastLetters = 150;

/** The language of a file's captions, in English ("German"); undefined if there are too few captions. */
export async function languageOf(captions: readonly string[]): Promise<string | undefined> {
  const text = captions.join('\n');
  if ((text.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return undefined;
  // Loading franc's tables takes longer than some commands run.
  const { francAll } = await import('franc-min');
  const [[code]] = francAll(text, { minLength: 1 });
  if (code === 'und') return undefined;
  return new Intl.DisplayNames('en', { type: 'language' }).of(code);
}

export const ruledLanguage = 'English';

/** Languages with rules in src/perturb/text/multilingual, which only LGIP uses. */
export const furtherLanguages: readonly string[] = ['German', 'Spanish', 'French'];

/** Why the rules cannot change the captions of a file; undefined if they can or the language is unknown. */
export function refusalOf(language: string | undefined, further: readonly string[] = []): string | undefined {
  if (language === undefined || language === ruledLanguage || further.includes(language)) return undefined;
  return `the file is in ${language}, and there are rules for ${[ruledLanguage, ...further].join(', ')} only`;
}

/** Whether the rules apply to a caption. The file's language decides; if unknown, the caption's words decide. */
export function rulesApply(caption: string, language: string | undefined): boolean {
  return refusalOf(language) === undefined && readingOf(caption, language === ruledLanguage) === 'english';
}

/** More captions would not change the answer. */
const mostCaptions = 200;

/** The language of a file's first captions, used for the whole file. */
export async function languageOfFile(
  examples: AsyncIterable<{ captions: readonly { role: string; text: string }[] }>,
): Promise<string | undefined> {
  const captions: string[] = [];
  for await (const example of examples) {
    for (const { role, text } of example.captions) if (role === 'caption') captions.push(text.trim());
    if (captions.length >= mostCaptions) break;
  }
  return languageOf(captions.slice(0, mostCaptions));
}
