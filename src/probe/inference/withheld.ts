/* Says which claims of a report leave it without a verdict, so that its headline names the reason and no number. */
import { findSaid, say, type Words } from '../../base/say';
import type { Claim } from '../metric';

/** The verdict of a report that has none, in a few words with the reason. Undefined for other reports. */
export function withheldIn(claims: readonly Pick<Claim, 'text'>[]): Words | undefined {
  for (const { text } of claims) {
    const truncated = findSaid(text, 'audit.tooManyTruncated');
    if (truncated !== undefined) return say('probe.noVerdictTruncated', ...truncated.values);
    if (constant.some((code) => findSaid(text, code) !== undefined)) return say('probe.noVerdictConstant');
  }
  return undefined;
}

/** Whether the evaluator read so many texts only in part that its report has no verdict. */
export function readInPart(claims: readonly Pick<Claim, 'text'>[]): boolean {
  return claims.some(({ text }) => findSaid(text, 'audit.tooManyTruncated') !== undefined);
}

const constant = ['probe.constantScores', 'probe.onlyTies'] as const;

/** Claims about how the evaluator read and scored, which hold for any part of the rows. */
const ofScoring = [
  ...constant,
  ...(['audit.tooManyTruncated', 'audit.textsTruncated'] as const),
  ...(['spread.scoresChangeOnRepeat', 'spread.scoresDependOnOrder', 'spread.scoresDependOnBatch'] as const),
];

/** The claims of a report of fewer rows of the same scores. `verdicts` are those of the remaining rows. */
export function claimsOfFewer(claims: readonly Claim[], verdicts: readonly Claim[]): Claim[] {
  const kept = claims.filter(({ text }) => ofScoring.some((code) => findSaid(text, code) !== undefined));
  return withheldIn(kept) === undefined ? [...kept, ...verdicts] : kept;
}
