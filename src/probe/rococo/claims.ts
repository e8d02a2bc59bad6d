import { say, type Words, together } from '../../base/say';
import { against, intervalOf, lies, percent, percents, rareWords, type Side } from '../claim';
import { leastImages } from '../../stats/decisions/smallSample';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  shareTestOf,
  type Tested,
  testOf,
} from '../claimFamily';
import { lackingGround } from '../ground';
import { imagesOf, type Metric, metricOf, type Claim } from '../metric';
import { keptBy } from './kept';
import { few, rococoView } from './view';

/** Above this share of altered captions that are equal to their captions for the evaluator, there is no verdict on them. */
const mostUnseen = 0.05;

/** Above this share of an image that altered images keep, there is no verdict on them. */
const mostKept = 0.95;

const unseenId = 'rococo.text.unseen';
const dropId = 'rococo.i2t.dropRate';
const controlId = 'rococo.control.difference';
const captionIds = [dropId, 'rococo.text.closer'];

interface Question {
  id: string;
  limit: number;
  words: Record<Side, Words>;
  /** The verdict if the searches without altered entries are at chance level. */
  blind?: Words;
}

const questions: readonly Question[] = [
  {
    id: 'rococo.i2t.dropRate',
    limit: few,
    words: {
      above: say('rococo.captionSearchesLostOften'),
      across: say('rococo.captionSearchesLostUndecided'),
      below: say('rococo.captionSearchesLostRarely'),
    },
    blind: say('rococo.captionSearchesAtChance'),
  },
  {
    id: 'rococo.t2i.dropRate',
    limit: few,
    words: {
      above: say('rococo.imageSearchesLostOften'),
      across: say('rococo.imageSearchesLostUndecided'),
      below: say('rococo.imageSearchesLostRarely'),
    },
    blind: say('rococo.imageSearchesAtChance'),
  },
  {
    id: 'rococo.text.closer',
    limit: 0.5,
    words: {
      above: say('rococo.alteredUsuallyCloser'),
      across: say('rococo.closerUndecided'),
      below: say('rococo.otherUsuallyCloser'),
    },
  },
];

export function rococoClaims(metrics: readonly Metric[]): Claim[] {
  const unseen = unseenClaim(metrics);
  const blind = questions.map(
    (question) => blindClaim(metrics, question) ?? sameImageClaim(metrics, question),
  );
  const tested = questions.flatMap((question, i) => {
    if (blind[i] !== undefined || (unseen.length > 0 && captionIds.includes(question.id))) return [];
    const interval = intervalOf(metrics, question.id);
    const test = shareTestOf(metrics, question.id, question.limit);
    return interval === undefined || test === undefined ? [] : [{ ...question, interval, ...test }];
  });
  const compared = tested.some(({ id }) => id === dropId) ? testOf(metrics, controlId, 0) : undefined;
  const adjusted = adjustedTogether<Tested>(compared === undefined ? tested : [...tested, compared]);
  const beyond = compared && adjusted.at(-1);
  const claims = tested.map((question, at) => {
    const { id, limit, words, interval } = question;
    const one = adjusted[at];
    const side = against(interval, limit);
    const rule = together(
      lies(id, percents(interval), side, percent(limit)),
      rareWords(metricOf(metrics, id)!, limit),
      ...beside(metrics, id),
    );
    const control = id === dropId ? beyond : undefined;
    const kept = keptOf(metrics, id);
    return {
      text: together(
        words[isSupported(one) ? side : 'across'],
        kept && keptWords(kept),
        ...(side === 'above' && isSupported(one)
          ? besideText(metrics, id, beyond)
          : [control && isSupported(control) ? controlText(metrics, control) : undefined]),
      ),
      // The control has a p value of its own, which stands after the verdict's.
      rule: together(
        one.of === 1 ? rule : say('base.joinedParts', rule, adjustedWords(one)),
        control && controlRule(metrics, control),
      ),
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
      text: say('rococo.noVerdictUnseenChanges', percent(share.value)),
      rule: say('rococo.unseenRule', unseenId, percent(mostUnseen)),
    },
  ];
}

/** How much of an image the altered images of a metric keep. Undefined for other metrics. */
function keptOf(metrics: readonly Metric[], id: string): ReturnType<typeof keptBy> {
  return keptBy(metricOf(metrics, id)?.kind ?? '');
}

/** An altered image that keeps most of the image is not wrong as an altered caption is, so a verdict says how much. */
function keptWords({ op, share }: NonNullable<ReturnType<typeof keptBy>>): Words {
  const words =
    op === 'mix' ? say('rococo.imagesMixed', percent(share)) : say('rococo.imagesPatched', percent(share));
  return share > 0.5 ? together(words, say('rococo.captionStaysTrue')) : words;
}

/** An altered image that keeps nearly everything is the same image, so that finding it first is no failure. */
function sameImageClaim(metrics: readonly Metric[], { id }: Question): Claim | undefined {
  const kept = keptOf(metrics, id);
  if (kept === undefined || kept.share <= mostKept || intervalOf(metrics, id) === undefined) return undefined;
  return {
    text: say('rococo.noVerdictSameImages'),
    rule: say('rococo.sameImagesRule', percent(kept.share), percent(mostKept)),
  };
}

/** What the share of lost searches must be read with. */
function beside(metrics: readonly Metric[], id: string): Words[] {
  if (!id.endsWith('.dropRate')) {
    const unseen = metricOf(metrics, unseenId)?.value;
    const equal = typeof unseen === 'number' && unseen > 0;
    return equal ? [say('rococo.unseenShare', percent(unseen))] : [];
  }
  const [right, first] = ['r1', 'rsms'].map((name) => metricOf(metrics, id.replace('dropRate', name))?.value);
  return typeof right === 'number' && typeof first === 'number'
    ? [say('rococo.lostRule', percent(right), percent(first))]
    : [];
}

/** What an evaluator without a fault would also do. */
function besideText(metrics: readonly Metric[], id: string, beyond: Adjusted<Tested> | undefined): Words[] {
  if (id === dropId) return [(beyond && controlText(metrics, beyond)) ?? say('rococo.galleryGrows')];
  const [own, words] = [id, `${id}.words`].map((one) => metricOf(metrics, one)?.value);
  return typeof words === 'number' && typeof own === 'number'
    ? [say('rococo.closerByWords', percent(words), percent(own))]
    : [];
}

/** What the altered captions cost beside as many captions of other images. */
function controlText(metrics: readonly Metric[], beyond: Adjusted<Tested>): Words | undefined {
  const [own, others] = ['altered', 'others'].map((of) => metricOf(metrics, `rococo.control.${of}`)?.value);
  const interval = intervalOf(metrics, controlId);
  if (typeof own !== 'number' || typeof others !== 'number' || interval === undefined) return undefined;
  const values = [percent(own), percent(others)] as const;
  const side = isSupported(beyond) ? against(interval, 0) : 'across';
  if (side === 'across') return say('rococo.costUndecided', ...values);
  return side === 'above' ? say('rococo.costMore', ...values) : say('rococo.costLess', ...values);
}

function controlRule(metrics: readonly Metric[], beyond: Adjusted<Tested>): Words | undefined {
  const interval = intervalOf(metrics, controlId);
  return (
    interval &&
    together(
      say('rococo.controlRule'),
      lies(controlId, percents(interval), against(interval, 0), say('human.zero')),
      adjustedWords(beyond),
    )
  );
}

function blindClaim(metrics: readonly Metric[], { id, blind }: Question): Claim | undefined {
  const lacking = lackingGround(rococoView, metrics, id);
  if (blind === undefined || lacking === undefined || intervalOf(metrics, id) === undefined) return undefined;
  const { metric, interval, chance } = lacking;
  const side = against(interval, chance);
  return {
    text: blind,
    rule: lies(metric.id, percents(interval), side, say('probe.chanceLevel', percent(chance))),
  };
}
