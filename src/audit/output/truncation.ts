/* Says in a report that its verdicts are about truncated texts. */
import { english, say } from '../../base/say';

/** Up to this share of the examples, truncated texts decide no verdict. */
const mostCut = 0.05;

/** `cut`: the number of distinct texts that exceed the evaluator's limit. An example may have several. */
export function truncationClaims(cut: number, examples: number): { text: string; rule: string }[] {
  if (cut <= mostCut * examples) return [];
  return [
    {
      text: english(
        say`It read ${cut} texts only in part, because they exceed its token limit, so verdicts are about the parts that it read.`,
      ),
      rule: english(say`Truncated texts: ${cut}, which is more than 5 % of the ${examples} examples.`),
    },
  ];
}
