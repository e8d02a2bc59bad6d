import { inARow, say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import { leastImages } from '../../stats/decisions/smallSample';
import { adjustedTogether, adjustedWords, isSupported, testOf } from '../claimFamily';
import type { Claim } from '../probe';
import { lackingGround } from '../ground';
import { imagesOf, type Metric, metricOf } from '../metric';
import { rococoView } from './view';

/** Verdicts say whether an altered entry comes first in more than this share of the searches. */
const few = 0.05;

/** Above this share of altered captions that are equal to their captions for the evaluator, there is no verdict on them. */
const mostUnseen = 0.05;

const unseenId = 'rococo.text.unseen';
const captionIds = ['rococo.i2t.rsms', 'rococo.text.closer'];

interface Question {
  id: string;
  limit: number;
  words: Record<Side, Words>;
  /** The verdict if the searches without altered entries are at chance level. */
  blind?: Words;
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
    blind: say`Its searches for captions cannot be told from chance, so there is no verdict on altered captions.`,
  },
  {
    id: 'rococo.t2i.rsms',
    limit: few,
    words: {
      above: say`Altered images come first in more than 5 % of searches.`,
      across: say`The data do not show whether altered images come first in more than 5 % of searches.`,
      below: say`Altered images rarely come first.`,
    },
    blind: say`Its searches for images cannot be told from chance, so there is no verdict on altered images.`,
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
  const unseen = unseenClaim(metrics);
  const blind = questions.map((question) => blindClaim(metrics, question));
  const tested = questions.flatMap((question, i) => {
    if (blind[i] !== undefined || (unseen.length > 0 && captionIds.includes(question.id))) return [];
    const interval = intervalOf(metrics, question.id);
    const test = testOf(metrics, question.id, question.limit);
    return interval === undefined || test === undefined ? [] : [{ ...question, interval, ...test }];
  });
  const claims = adjustedTogether(tested).map((one) => {
    const { id, limit, words, interval } = one;
    const side = against(interval, limit);
    const rule = inARow([lies(id, percents(interval), side, percent(limit)), ...beside(metrics, id)], ' ');
    return {
      text: words[isSupported(one) ? side : 'across'],
      rule: one.of === 1 ? rule : say`${rule} ${adjustedWords(one)}`,
    };
  });
  return [...unseen, ...blind.flatMap((claim) => claim ?? []), ...claims];
}

/** An encoder that cannot see a change, for example because it truncates the caption, says nothing about it. */
function unseenClaim(metrics: readonly Metric[]): Claim[] {
  const share = metricOf(metrics, unseenId);
  if (typeof share?.value !== 'number' || share.value <= mostUnseen || imagesOf(share) < leastImages)
    return [];
  return [
    {
      text: say`No verdict on altered captions: for the evaluator, ${percent(share.value)} of them are equal to the captions.`,
      rule: say`${unseenId} is above ${percent(mostUnseen)}. These captions have the same embedding before and after the change, often because the changed word is truncated.`,
    },
  ];
}

/** What the share of altered entries in first place must be read with. */
function beside(metrics: readonly Metric[], id: string): Words[] {
  if (!id.endsWith('.rsms')) {
    const unseen = metricOf(metrics, unseenId)?.value;
    return typeof unseen === 'number' && unseen > 0
      ? [say`For the evaluator, ${percent(unseen)} of the altered captions are equal to the captions.`]
      : [];
  }
  const [right, drop] = ['r1', 'dropRate'].map((name) => metricOf(metrics, id.replace('rsms', name))?.value);
  return typeof right === 'number' && typeof drop === 'number'
    ? [
        say`Without altered entries, ${percent(right)} of the searches are right; altered entries cost ${percent(drop)} of these.`,
      ]
    : [];
}

function blindClaim(metrics: readonly Metric[], { id, blind }: Question): Claim | undefined {
  const lacking = lackingGround(rococoView, metrics, id);
  if (blind === undefined || lacking === undefined || intervalOf(metrics, id) === undefined) return undefined;
  const { metric, interval, chance } = lacking;
  const side = against(interval, chance);
  return {
    text: blind,
    rule: lies(metric.id, percents(interval), side, say`chance level (${percent(chance)})`),
  };
}
