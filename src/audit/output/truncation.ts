/* Says in a report that its verdicts are about truncated texts, or that there are none for this reason. */
import { say } from '../../base/say';
import type { Claim } from '../../probe/metric';

/** Up to this share of the examples, truncated texts decide no verdict. */
const mostCut = 0.05;

/**
 * The claims of a report, with what truncated texts mean for them. If there are as many as rows, no verdict remains: texts
 * cut at different places no longer mean what the probe assumes. `cut` counts distinct texts; a row may have several.
 */
export function withTruncation(
  claims: readonly Claim[],
  cut: number,
  { examples, rows }: { examples: number; rows: number },
): Claim[] {
  if (cut <= mostCut * examples) return [...claims];
  // Also without verdicts: a headline or a comparison would speak of texts that the evaluator did not read.
  if (cut >= rows)
    return [{ text: say('audit.tooManyTruncated', cut), rule: say('audit.truncatedAsRows', cut, rows) }];
  if (claims.length === 0) return [];
  return [
    { text: say('audit.textsTruncated', cut), rule: say('audit.truncatedShare', cut, examples) },
    ...claims,
  ];
}
