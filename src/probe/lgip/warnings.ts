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
      (n) => say`${n} of ${captions} captions contain only blanks: they were neither scored nor changed.`,
    ],
    [
      outcomes['no-word'],
      (n) =>
        say`${n} of ${captions} captions contain no word (emoji, digits, punctuation): they were scored without variants.`,
    ],
    [
      outcomes['other-language'],
      (n) => say`${n} of ${captions} captions are not in English: they were scored without variants.`,
    ],
    [
      outcomes['no-variant'],
      (n) => say`${n} of ${captions} captions have no variant within the selected filters and limits.`,
    ],
    [
      outcomes.given,
      (n) =>
        say`${n} of ${captions} captions have variants in the dataset, which were scored instead of generated ones.`,
    ],
    [
      long,
      (n) =>
        say`${n} of ${captions} captions are longer than ${manyWords} words: linguistic rules were not tried, and an encoder that truncates them may not see a flip.`,
    ],
  ];
  const warnings = counted.flatMap(([count, words]) => (count === 0 ? [] : [english(words(count))]));
  warnings.push(
    options.asInPaper
      ? english(
          say`Templates and flips follow the literal rules of the paper (lgip.asInPaper=true), also where a sentence becomes ungrammatical.`,
        )
      : english(
          say`Templates and flips are natural English: flips keep agreement, do not change compounds or names, and are omitted where no word makes sense. Metrics therefore differ from those in the paper. For the rules of the paper, set lgip.asInPaper=true.`,
        ),
  );
  return warnings;
}
