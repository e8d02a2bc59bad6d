import { say, type Words } from '../../base/say';
import { hasEnglishWords, readingOf } from './language';

/**
 * The minimum number of letters for recognising a language. With three English captions, franc was wrong in 4 of
 * 500 cases. With five English captions, franc was never wrong.
 */
const leastLetters = 150;

/** How many captions of a file are read. More captions would hardly ever change the result. */
const mostCaptions = 200;
/** franc reads no more characters of a text. */
const mostCharacters = 2048;

/** franc's score of a language that is nearly the first one, whose score is 1. */
const nearly = 0.9;

/** The language of a file's captions, in English ("German"); undefined if it is not recognised. */
export async function languageOf(captions: readonly string[]): Promise<string | undefined> {
  const text = captions
    .slice(0, mostCaptions)
    .map((caption) => caption.slice(0, mostCharacters))
    .join('\n')
    .slice(0, mostCharacters);
  if ((text.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return undefined;
  // franc is imported only when it is needed, because loading its tables takes longer than some whole commands.
  const { francAll } = await import('franc-min');
  const ranked = francAll(text, { minLength: 1 });
  const [[code]] = ranked;
  if (code === 'und') return undefined;
  // Captions that repeat a few words have few trigrams, so that English may rank just after another language.
  const isNear = ranked.some(([own, score]) => own === 'eng' && score >= nearly);
  const read = text.split('\n');
  if (isNear && read.filter(hasEnglishWords).length * 2 > read.length) return ruledLanguage;
  return new Intl.DisplayNames('en', { type: 'language' }).of(code);
}

export const ruledLanguage = 'English';

/** The languages of the rules in src/perturb/text/multilingual. Only LGIP uses these rules. */
export const furtherLanguages: readonly string[] = ['German', 'Spanish', 'French'];

/** Why the rules cannot change a file's captions; undefined if they can, or if its language is unknown. */
export function refusalOf(language: string | undefined, further: readonly string[] = []): Words | undefined {
  if (language === undefined || language === ruledLanguage || further.includes(language)) return undefined;
  return say('perturb.rulesForOthers', language, [ruledLanguage, ...further].join(', '));
}

/** Whether the rules apply to a caption. If the file's language is unknown, the caption's words decide. */
export function rulesApply(caption: string, language: string | undefined): boolean {
  return refusalOf(language) === undefined && readingOf(caption, language === ruledLanguage) === 'english';
}

/** The language of a file, recognised from its first captions. */
export async function languageOfFile(
  examples: AsyncIterable<{ captions: readonly { role: string; text: string }[] }>,
): Promise<string | undefined> {
  const captions: string[] = [];
  let characters = 0;
  for await (const example of examples)
    for (const { role, text } of example.captions) {
      if (role !== 'caption') continue;
      const start = text.trim().slice(0, mostCharacters);
      captions.push(start);
      characters += start.length;
      if (captions.length >= mostCaptions || characters >= mostCharacters) return languageOf(captions);
    }
  return languageOf(captions);
}
