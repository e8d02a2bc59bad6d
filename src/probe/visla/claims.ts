import { say, type Words } from '../../base/say';
import { largest } from '../../base/extent';
import { against, intervalOf, percent, percents, rateClaim, type Side } from '../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  type Tested,
  testOf,
} from '../claimFamily';
import { gainClaims, gainTest } from '../benchmark/beside/claims';
import { differenceTest } from '../inference/difference';
import type { Metric, Claim } from '../metric';
import { wholeMetric } from '../view';

/** Each of three random scores is equally likely to be the highest, or the lowest. */
const chance = 1 / 3;

/** If both shares are above this, a difference between them says nothing about the evaluator. */
const nearlyAll = 0.95;

const accuracies: readonly { id: string; words: Record<Side, Words> }[] = [
  {
    id: 'visla.t2t',
    words: {
      above: say('visla.captionsAboveChance'),
      across: say('visla.captionsNotFromChance'),
      below: say('visla.captionsBelowChance'),
    },
  },
  {
    id: 'visla.i2t',
    words: {
      above: say('visla.imageAboveChance'),
      across: say('visla.imageNotFromChance'),
      below: say('visla.imageBelowChance'),
    },
  },
];

interface Contrast {
  id: string;
  /** The metrics that the paired test compares. */
  of: readonly [string, string];
  /** The verdict if the first metric is higher, and if the second one is. */
  words: readonly [Words, Words];
  /** The first verdict if the second metric is below one half, so that wording decides more than meaning. */
  decides?: Words;
}

const contrasts: readonly Contrast[] = [
  {
    id: 'visla.t2t.wording',
    of: ['visla.t2t.p1n', 'visla.t2t.p2n'],
    decides: say('visla.followsWording'),
    words: [say('visla.wordingAlsoCounts'), say('visla.captionsSecondEasier')],
  },
  {
    // The image has no wording. So a difference can also mean that one positive describes the image better.
    id: 'visla.i2t.wording',
    of: ['visla.i2t.p1n', 'visla.i2t.p2n'],
    words: [say('visla.imageFirstEasier'), say('visla.imageSecondEasier')],
  },
  {
    id: 'visla.both.gain',
    of: ['visla.i2t', 'visla.t2t'],
    words: [say('visla.imageHelps'), say('visla.imageHurts')],
  },
];

export function vislaClaims(metrics: readonly Metric[]): Claim[] {
  const rates = accuracies.flatMap(({ id, words }) => {
    const test = testOf(metrics, id, chance);
    return test === undefined
      ? []
      : [{ ...test, claims: (own: Adjusted<Tested>) => rate(metrics, id, words, own) }];
  });
  const differences = contrasts.flatMap((contrast) => {
    const test = differenceTest(metrics, contrast.id);
    const areHigh = contrast.of.every((id) => (wholeMetric(metrics, id)?.value ?? 0) > nearlyAll);
    return test === undefined || areHigh
      ? []
      : [{ ...test, claims: (own: Adjusted<Tested>) => difference(metrics, contrast, own) }];
  });
  const gain = gainTest(metrics, 'visla.i2t');
  const beside =
    gain === undefined
      ? []
      : [{ ...gain, claims: (own: Adjusted<Tested>) => gainClaims(metrics, 'visla.i2t', own) }];
  return adjustedTogether([...rates, ...differences, ...beside]).flatMap((one) => one.claims(one));
}

function rate(
  metrics: readonly Metric[],
  id: string,
  words: Record<Side, Words>,
  own: Adjusted<Tested>,
): Claim[] {
  const family = own.of === 1 ? undefined : { isSupported: isSupported(own), rule: adjustedWords(own) };
  return rateClaim(metrics, id, chance, words, family).map((claim) => besideTies(metrics, id, claim));
}

function difference(
  metrics: readonly Metric[],
  { id, of, words, decides }: Contrast,
  own: Adjusted<Tested>,
): Claim[] {
  const interval = intervalOf(metrics, id);
  if (interval === undefined || !isSupported(own)) return [];
  const second = intervalOf(metrics, of[1]);
  const isDecided = second !== undefined && against(second, 0.5) === 'below';
  const first = isDecided ? (decides ?? words[0]) : words[0];
  return [
    besideTies(metrics, id.replace(/\.wording$/, ''), {
      text: interval[0] > 0 ? first : words[1],
      rule: say('visla.pairedRule', of[0], of[1], percents(interval), adjustedWords(own)),
    }),
  ];
}

/** Above this share of ties, a verdict says that the evaluator may not see the difference, as after truncation. */
const manyTies = 0.05;

/** Ties count as wrong. So a verdict must not read as a choice of wording if equal captions explain it. */
function besideTies(metrics: readonly Metric[], setting: string, claim: Claim): Claim {
  const shares = ['p1n', 'p2n'].map((pair) => {
    const { ties = 0, n = 0 } = wholeMetric(metrics, `${setting}.${pair}`) ?? {};
    return n === 0 ? 0 : ties / n;
  });
  const most = largest(shares);
  if (most === 0) return claim;
  const rule = say('visla.tiesCountWrong', claim.rule, percent(most));
  return {
    rule,
    text: most > manyTies ? say('visla.negativeIndistinguishable', claim.text, percent(most)) : claim.text,
  };
}
