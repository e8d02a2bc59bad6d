/* Says in a report that its verdicts are about truncated texts. */
import type { Claim } from '../../probe/probe';
import { say } from '../../base/say';

/** Up to this share of the examples, truncated texts decide no verdict. */
const mostCut = 0.05;

/** `cut`: the number of distinct texts that exceed the evaluator's limit. An example may have several. */
export function truncationClaims(cut: number, examples: number): Claim[] {
  if (cut <= mostCut * examples) return [];
  return [
    {
      text: say('audit.textsTruncated', cut),
      rule: say('audit.truncatedShare', cut, examples),
    },
  ];
}
