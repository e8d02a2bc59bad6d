import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import { adjustedTogether, adjustedWords, isSupported, testOf } from '../claimFamily';
import type { Claim } from '../probe';
import { imagesOf, type Metric, metricOf } from '../metric';

/** Verdicts say whether an altered entry comes first in more than this share of the searches. */
const few = 0.05;

interface Question {
  id: string;
  limit: number;
  words: Record<Side, Words>;
  /** The rate of searches that are right without altered entries, and the verdict if it is at chance level. */
  skill?: { id: string; missing: Words };
}

const questions: readonly Question[] = [
  {
    id: 'rococo.i2t.rsms',
    limit: few,
    words: {
      above: say`Altered captions come first in more than 5 % of searches.`,
      across: say`The data do not show whether altered captions come first in more than 5 % of searches.`,
      below: say`Altered captions rarely come first.`,
    },
    skill: {
      id: 'rococo.i2t.r1',
      missing: say`It does not find the captions of an image more often than chance, so altered captions say nothing about it.`,
    },
  },
  {
    id: 'rococo.t2i.rsms',
    limit: few,
    words: {
      above: say`Altered images come first in more than 5 % of searches.`,
      across: say`The data do not show whether altered images come first in more than 5 % of searches.`,
      below: say`Altered images rarely come first.`,
    },
    skill: {
      id: 'rococo.t2i.r1',
      missing: say`It does not find the image of a caption more often than chance, so altered images say nothing about it.`,
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
  const blind = questions.map((question) => blindClaim(metrics, question));
  const tested = questions.flatMap((question, i) => {
    if (blind[i] !== undefined) return [];
    const interval = intervalOf(metrics, question.id);
    const test = testOf(metrics, question.id, question.limit);
    return interval === undefined || test === undefined ? [] : [{ ...question, interval, ...test }];
  });
  const claims = adjustedTogether(tested).map((one) => {
    const { id, limit, words, interval } = one;
    const side = against(interval, limit);
    const rule = lies(id, percents(interval), side, percent(limit));
    return {
      text: words[isSupported(one) ? side : 'across'],
      rule: one.of === 1 ? rule : say`${rule} ${adjustedWords(one)}`,
    };
  });
  return [...blind.flatMap((claim) => claim ?? []), ...claims];
}

/** An evaluator that finds nothing cannot be misled. One image of `images` is right by chance. */
function blindClaim(metrics: readonly Metric[], { id, skill }: Question): Claim | undefined {
  const rate = skill && metricOf(metrics, skill.id);
  const interval = skill && intervalOf(metrics, skill.id);
  if (rate === undefined || interval === undefined || intervalOf(metrics, id) === undefined) return undefined;
  const chance = 1 / imagesOf(rate);
  const side = against(interval, chance);
  if (side === 'above') return undefined;
  return {
    text: skill!.missing,
    rule: lies(rate.id, percents(interval), side, say`chance level (${percent(chance)})`),
  };
}
