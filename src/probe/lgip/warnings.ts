import { english, say, type Words } from '../../base/say';
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
      outcomes['other-language'],
      (n) => say`Captions that are not in English: ${n} of ${captions}. They were scored without variants.`,
    ],
    [
      outcomes['no-variant'],
      (n) => say`Captions without a variant within the selected filters and limits: ${n} of ${captions}.`,
    ],
    [
      outcomes.given,
      (n) =>
        say`Captions with variants in the dataset: ${n} of ${captions}. These variants were scored instead of generated variants.`,
    ],
    [
      long,
      (n) =>
        say`Captions longer than ${manyWords} words: ${n} of ${captions}. Linguistic rules were not tried on them, and an encoder that truncates a caption may not see a flip.`,
    ],
  ];
  const warnings = counted.flatMap(([count, words]) => (count === 0 ? [] : [english(words(count))]));
  warnings.push(
    options.asInPaper
      ? english(
          say`Templates and flips follow the literal rules of the paper (lgip.asInPaper=true), also where a sentence becomes ungrammatical.`,
        )
      : english(
          say`Templates and flips are natural sentences: flips keep agreement, do not change compounds or names, and are omitted where no word makes sense. Metrics therefore differ from those in the paper. For the rules of the paper, set lgip.asInPaper=true.`,
        ),
  );
  return warnings;
}
