import { readingOf } from './language';

/**
 * Texts with fewer letters are too short: franc mistakes 4 of 500 groups of three English captions, but no
 * group of five.
 */
const leastLetters = 150;

/** The language of a file's captions in English ("German"), decided from all of them; undefined if they are too few. */
export async function languageOf(captions: readonly string[]): Promise<string | undefined> {
  const text = captions.join('\n');
  if ((text.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return undefined;
  // Imported only here, because franc's tables take longer to load than some commands take to run.
  const { francAll } = await import('franc-min');
  const [[code]] = francAll(text, { minLength: 1 });
  if (code === 'und') return undefined;
  return new Intl.DisplayNames('en', { type: 'language' }).of(code);
}

export const ruledLanguage = 'English';

/** The languages of src/perturb/text/multilingual, whose rules only LGIP uses. */
export const furtherLanguages: readonly string[] = ['German', 'Spanish', 'French'];

/** Why the rules cannot change the captions of a file; undefined if they can, or if its language is unknown. */
export function refusalOf(language: string | undefined, further: readonly string[] = []): string | undefined {
  if (language === undefined || language === ruledLanguage || further.includes(language)) return undefined;
  return `its file is in ${language}, and there are rules for ${[ruledLanguage, ...further].join(', ')} only`;
}

/**
 * Whether the rules apply to a caption. The language of its file decides or, if that is unknown, the caption
 * itself.
 */
export function rulesApply(caption: string, language: string | undefined): boolean {
  return refusalOf(language) === undefined && readingOf(caption, language === ruledLanguage) === 'english';
}

/** More captions than this do not change the answer. */
const mostCaptions = 200;

/** The language of a file's first captions, which applies to the whole file. */
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
