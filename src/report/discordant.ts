/* The rows that only one of two reports gets right. */
import { leastDiscordant } from '../stats/decisions/smallSample';
import { mcNemarExact } from '../stats/proportion';

/** The rows with the value 1 only in one report, and McNemar's exact p. */
export interface McNemar {
  onlyFirst: number;
  onlySecond: number;
  pValue: number;
  /** Of how many captions the rows are, if fewer. */
  captions?: number;
}

/** How many rows are right only in the first report, and only in the second. */
export function rightOnly({
  better,
  mcNemar,
}: {
  better: 'higher' | 'lower' | undefined;
  mcNemar?: McNemar;
}): [first: number, second: number] | undefined {
  if (mcNemar === undefined || better === undefined) return undefined;
  const { onlyFirst, onlySecond } = mcNemar;
  return better === 'higher' ? [onlyFirst, onlySecond] : [onlySecond, onlyFirst];
}

/** McNemar's test of outcomes that are 0 or 1. `captions` names the caption of each outcome that has several draws. */
export function discordantPairs(
  first: readonly number[],
  second: readonly number[],
  captions: readonly (string | undefined)[],
): { mcNemar: McNemar; tooFew?: 'discordant' } {
  const only = (a: readonly number[], b: readonly number[]) => a.filter((value, i) => value > b[i]).length;
  const [onlyFirst, onlySecond] = [only(first, second), only(second, first)];
  // Draws of one caption are no independent outcomes.
  const units = new Set(first.flatMap((value, i) => (value === second[i] ? [] : [captions[i] ?? i]))).size;
  return {
    mcNemar: {
      ...{ onlyFirst, onlySecond, pValue: mcNemarExact(onlyFirst, onlySecond).pValue },
      ...(units < onlyFirst + onlySecond ? { captions: units } : {}),
    },
    ...(units < leastDiscordant ? { tooFew: 'discordant' } : {}),
  };
}
