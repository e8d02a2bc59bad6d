import { CaptiousError } from '../base/errors';
import type { CommandOption } from './arguments';

export const label: CommandOption = {
  value: 'A=NAME',
  multiple: true,
  describe:
    'name of the evaluator of report A, the first one, in tables and figures. Example: --label A=Ours. Repeatable',
};

/** Letters for reports: A, B, …, Z, AA, AB, … */
export function letterOf(i: number): string {
  const last = String.fromCharCode(65 + (i % 26));
  return i < 26 ? last : letterOf(Math.floor(i / 26) - 1) + last;
}

/** Parses "A=Ours" into names by the position of the report. */
export function parseLabels(given: readonly string[], reports: number): Map<number, string> {
  const letters = Array.from({ length: reports }, (_, i) => letterOf(i));
  return new Map(
    given.map((one) => {
      const at = one.indexOf('=');
      const [letter, name] = [one.slice(0, Math.max(at, 0)).trim(), one.slice(at + 1).trim()];
      const i = letters.indexOf(letter);
      if (i === -1 || name === '')
        throw new CaptiousError(
          'usage',
          `--label ${one}: expected the letter of a report from A to ${letters[letters.length - 1]} and a name, such as A=Ours.`,
        );
      return [i, name];
    }),
  );
}
