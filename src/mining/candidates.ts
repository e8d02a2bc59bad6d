import type { TextVariant } from '../perturb/text/variant';
import type { Candidate } from '../protocol/triplets';

/** The least length of a candidate, in characters. */
export const leastLength = 5;
export const mostCandidates = 5;

export function candidatesOf(variants: readonly TextVariant[]): Candidate[] {
  return variants.slice(0, mostCandidates).map(({ text, rule }) => ({ text, from: rule }));
}
