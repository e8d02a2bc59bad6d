/** What people judge while they read a report, one variant at a time, in the format of the human check. */
import { isJudged, type Picked } from '../protocol/judgement';
import type { Sampled } from '../protocol/sampled';
import type { Answers, CheckSession } from './check';
import { keepsMeaning } from './lgip/variants';
import { mergeLgipChecks } from './lgip/merge';
import { mergeChecks } from './mergeChecks';
import type { CheckFileAt } from './votes';

/** The probes whose table lines are variants that people can judge. */
export const pickedProbes = ['invariance', 'lgip'] as const;
export type PickedProbe = (typeof pickedProbes)[number];

/** The answers of the human check with which its rules call the variant valid or not. */
export function answersFor(probe: PickedProbe, { family }: Sampled, picked: Picked): Answers {
  // A flip is no error of the evaluator if the image shows what the flip says, too.
  if (probe === 'lgip' && !keepsMeaning(family))
    return { original: 'fully', changed: picked === 'valid' ? 'incorrect' : 'fully', last: 'different' };
  return picked === 'valid'
    ? { original: 'fully', changed: 'fully', last: 'same' }
    : { original: 'fully', changed: 'incorrect', last: 'different' };
}

/** The verdict of one annotator on each variant, by its id. */
export function picksOf(file: CheckFileAt, probe: PickedProbe): Map<string, Picked> {
  const rejected = rejectedIn([file], probe);
  return new Map(
    file.session.items
      .filter(({ judgement }) => isJudged(judgement))
      .map(({ id }): [string, Picked] => [id, rejected.has(id) ? 'rejected' : 'valid']),
  );
}

/** The ids of the variants that no majority finds valid. */
export function rejectedIn(files: readonly CheckFileAt[], probe: PickedProbe): Set<string> {
  if (files.length === 0) return new Set();
  const rejected =
    probe === 'lgip'
      ? mergeLgipChecks(files).verdicts.filter(({ valid }) => !valid)
      : mergeChecks(files).verdicts.filter(({ accepted }) => accepted !== 'both');
  return new Set(rejected.map(({ id }) => id));
}

/** Whether the files judge picked variants. An estimate for all variants needs a random sample. */
export function arePicked(sessions: readonly CheckSession[]): boolean {
  return sessions.some(({ origin }) => origin.picked === true);
}
