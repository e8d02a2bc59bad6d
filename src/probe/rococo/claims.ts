import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import { adjustedTogether, adjustedWords, isSupported, testOf } from '../claimFamily';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

/** Verdicts say whether an altered entry comes first in more than this share of the searches. */
const few = 0.05;

const questions: readonly { id: string; limit: number; words: Record<Side, Words> }[] = [
  {
    id: 'rococo.i2t.rsms',
    limit: few,
    words: {
      above: say`Altered captions mislead it: they come first in more than 5 % of searches.`,
      across: say`There are too few searches to tell whether altered captions mislead it.`,
      below: say`Altered captions rarely come first.`,
    },
  },
  {
    id: 'rococo.t2i.rsms',
    limit: few,
    words: {
      above: say`Altered images mislead it: they come first in more than 5 % of searches.`,
      across: say`There are too few searches to tell whether altered images mislead it.`,
      below: say`Altered images rarely come first.`,
    },
  },
  {
    id: 'rococo.text.closer',
    limit: 0.5,
    words: {
      above: say`For most captions, the altered caption is closer than every other caption of the same image.`,
      across: say`The data do not show which is usually closer to a caption: its altered version or another caption of the same image.`,
      below: say`For most captions, another caption of the same image is closer than the altered caption.`,
    },
  },
];

export function rococoClaims(metrics: readonly Metric[]): Claim[] {
  const tested = questions.flatMap((question) => {
    const interval = intervalOf(metrics, question.id);
    const test = testOf(metrics, question.id, question.limit);
    return interval === undefined || test === undefined ? [] : [{ ...question, interval, ...test }];
  });
  return adjustedTogether(tested).map((one) => {
    const { id, limit, words, interval } = one;
    const side = against(interval, limit);
    const rule = lies(id, percents(interval), side, percent(limit));
    return {
      text: words[isSupported(one) ? side : 'across'],
      rule: one.of === 1 ? rule : say`${rule} ${adjustedWords(one)}`,
    };
  });
}
