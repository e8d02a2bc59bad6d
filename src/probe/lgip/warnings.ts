import { say, type Words } from '../../base/say';
import { furtherLanguages } from '../../perturb/text/fileLanguage';
import { longestCaption, longestWord } from '../../perturb/text/language';
import type { LgipOptions } from './options';
import type { Outcome } from './row';

/** Encoders may truncate captions with more words than this. */
export const manyWords = 60;

/** Warnings about a report's captions. `long` is the number of captions with more than `manyWords` words. */
export function warningsOf(
  captions: number,
  outcomes: Readonly<Record<Outcome, number>>,
  long: number,
  options: Pick<LgipOptions, 'asInPaper'>,
  language?: string,
): Words[] {
  const counted: [number, (count: number) => Words][] = [
    [outcomes.blank, (n) => say('lgip.blankCaptionsCount', n, captions)],
    [outcomes['no-word'], (n) => say('lgip.wordlessCaptions', n, captions)],
    [outcomes['too-long'], (n) => say('lgip.overlongCaptions', longestCaption, longestWord, n, captions)],
    [outcomes['other-language'], (n) => say('lgip.captionsNotEnglish', n, captions)],
    [outcomes['no-variant'], (n) => say('lgip.captionsWithoutVariant', n, captions)],
    [outcomes.given, (n) => say('lgip.captionsWithDatasetVariants', n, captions)],
    [long, (n) => say('lgip.longCaptions', manyWords, n, captions)],
  ];
  const warnings = counted.flatMap(([count, words]) => (count === 0 ? [] : [words(count)]));
  return [...warnings, ...rulesUsed(options, language)];
}

/** Which rules generated the variants. The paper has rules for English only. */
function rulesUsed({ asInPaper }: Pick<LgipOptions, 'asInPaper'>, language: string | undefined): Words[] {
  if (language !== undefined && furtherLanguages.includes(language))
    return [say('lgip.ownLanguageRules'), ...(asInPaper ? [say('lgip.asInPaperIgnored')] : [])];
  return [asInPaper ? say('lgip.literalPaperRules') : say('lgip.naturalRules')];
}
