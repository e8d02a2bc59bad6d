/**
 * Frequent words of other languages. A caption is not English if it contains at least two of these words, and at
 * least as many of them as English words. A single foreign word may be a name.
 */
const foreign = new Set(
  (
    'un une des les dans avec sur est sont qui que pour deux près devant homme femme chien ' +
    'el los las una con del para dos hombre mujer perro sobre junto está están que y ' +
    'der das und ein eine einer einem einen mit auf im ist sind zwei mann frau hund neben vor ' +
    'il gli della di che uno sono uomo donna cane due accanto ' +
    'um uma os dois homem mulher cão ao da em ' +
    'een het op met van zijn twee vrouw hond naast ' +
    'och en ett som på med av är två ' +
    'w na z jest się dwa pies kobieta'
  ).split(' '),
);
const english = new Set(
  (
    'a an the of on in at with and is are to by next near his her its their that this there two some it as from for up down ' +
    'while who which behind under over into front man woman people dog cat'
  ).split(' '),
);

/**
 * Longer captions and words are not parsed, because the tagger takes time with the square of a word's length, and each
 * caption is tagged again for every variant.
 */
export const longestCaption = 10_000;
export const longestWord = 256;

export function isTooLong(caption: string): boolean {
  if (caption.length <= longestWord) return false;
  return caption.length > longestCaption || caption.split(/\s+/).some((word) => word.length > longestWord);
}

/** Captions without such letters are not counted letter by letter. */
const hasOtherLetters = /(?!\p{Script=Latin})\p{L}/u;

/** Whether a caption is English, blank, too long to be parsed, without letters, or in another language. */
export type Reading = 'english' | 'blank' | 'too-long' | 'no-word' | 'other-language';

/**
 * With `isEnglish`, foreign words in Latin letters do not count, because they may be names or signs. `perturb`
 * sets `isEnglish` for English and for other languages with rules.
 */
export function readingOf(caption: string, isEnglish = false): Reading {
  if (caption.trim() === '') return 'blank';
  if (isTooLong(caption)) return 'too-long';
  if (!/\p{L}/u.test(caption)) return 'no-word';
  if (hasOtherLetters.test(caption)) {
    const letters = caption.match(/\p{L}/gu)?.length ?? 0;
    const latin = caption.match(/\p{Script=Latin}/gu)?.length ?? 0;
    if (latin * 2 < letters) return 'other-language';
  }
  if (isEnglish) return 'english';
  const { strange, familiar } = frequentWords(caption);
  return strange >= 2 && strange >= familiar ? 'other-language' : 'english';
}

/** Whether a caption has at least two frequent English words, and more than foreign ones. */
export function hasEnglishWords(caption: string): boolean {
  const { strange, familiar } = frequentWords(caption);
  return familiar >= 2 && familiar > strange;
}

/** How many different frequent words of other languages a caption has, and of English alone. */
function frequentWords(caption: string): { strange: number; familiar: number } {
  const words = new Set(caption.toLowerCase().match(/\p{L}+/gu) ?? []);
  let [strange, familiar] = [0, 0];
  for (const word of words)
    if (foreign.has(word)) strange++;
    else if (english.has(word)) familiar++;
  return { strange, familiar };
}
