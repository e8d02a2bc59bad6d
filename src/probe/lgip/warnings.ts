import { english, say, type Words } from '../../base/say';
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
): string[] {
  const counted: [number, (count: number) => Words][] = [
    [
      outcomes.blank,
      (n) =>
        say`Captions that contain only blanks: ${n} of ${captions}. They were neither scored nor changed.`,
    ],
    [
      outcomes['no-word'],
      (n) =>
        say`Captions without a word (only emoji, digits or punctuation): ${n} of ${captions}. They were scored without variants.`,
    ],
    [
      outcomes['too-long'],
      (n) =>
        say`Captions with more than ${longestCaption} characters, or with a word of more than ${longestWord}: ${n} of ${captions}. They were scored without variants.`,
    ],
    [
      outcomes['other-language'],
      (n) => say`Captions that are not in English: ${n} of ${captions}. They were scored without variants.`,
    ],
    [
      outcomes['no-variant'],
      (n) => say`Captions for which the rules and options give no variant: ${n} of ${captions}.`,
    ],
    [
      outcomes.given,
      (n) =>
        say`Captions with variants in the dataset: ${n} of ${captions}. These variants were scored instead of generated variants.`,
    ],
    [
      long,
      (n) =>
        say`Captions longer than ${manyWords} words: ${n} of ${captions}. Their generated paraphrases are templates only. An encoder that truncates a caption may not see a flip.`,
    ],
  ];
  const warnings = counted.flatMap(([count, words]) => (count === 0 ? [] : [english(words(count))]));
  return [...warnings, ...rulesUsed(options, language).map(english)];
}

/** Which rules generated the variants. The paper has rules for English only. */
function rulesUsed({ asInPaper }: Pick<LgipOptions, 'asInPaper'>, language: string | undefined): Words[] {
  if (language !== undefined && furtherLanguages.includes(language))
    return [
      say`Generated templates and flips follow Captious's own rules for the language of the captions, because the paper has rules for English only.`,
      ...(asInPaper
        ? [say`The option lgip.asInPaper has no effect, because the captions are not in English.`]
        : []),
    ];
  return [
    asInPaper
      ? say`Generated templates and flips follow the literal rules of the paper (lgip.asInPaper=true), even if a sentence becomes ungrammatical.`
      : say`Generated templates and flips are natural sentences. A flip is grammatical, does not change compounds or names, and is left out if no replacement word makes sense. Metrics therefore differ from those in the paper. For the rules of the paper, set lgip.asInPaper=true.`,
  ];
}
