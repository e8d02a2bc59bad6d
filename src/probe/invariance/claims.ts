import { say, together, type Words } from '../../base/say';
import { metricText, pEquals } from '../../base/pValue';
import { leastImages } from '../../stats/decisions/smallSample';
import { against, intervalOf } from '../claim';
import { verdictLevel } from '../claimFamily';
import { keepFlipsClaims } from '../filter/claims';
import { type Metric, observationsIn, type Claim } from '../metric';
import { articleFor } from '../../perturb/words/number';
import { relativeId } from '../../protocol/parts/spreads';
import { rangeGapId } from './display/names';
import { forNeutral } from './compare/neutralSwaps';
import { betterArticle, neutralClaim, neutralPairs } from './compare/neutral';
import { byObject, scopeOf, sideClaims, sizeOf } from './compare/sides';
import { pOfMore, spreadOf, varyLevel } from './compare/wordSpread';
import { wholeMetric } from '../view';

const spatial = [
  { id: 'vflip', name: say('invariance.actFlippingVertically') },
  { id: 'hflip', name: say('invariance.actFlippingHorizontally') },
  { id: 'rotation', name: say('invariance.actRotating') },
  { id: 'reposition', name: say('invariance.actMoving') },
  { id: 'blur', name: say('invariance.actBlurring') },
];
const societal = ['cultural', 'economic', 'gender', 'emotion', 'sociopolitical'];

export function invarianceClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...flipRisk(metrics),
    ...moves(metrics),
    ...words(metrics),
    ...keepFlipsClaims(
      metrics,
      'invariance',
      (kept, reversed, unrelated) => say('filter.changesReverse', kept, reversed, unrelated),
      { slice: { axis: 'spatial' }, scope: scopeOf(metrics) },
    ),
  ];
}

function flipRisk(metrics: readonly Metric[]): Claim[] {
  const found = (['spatial', 'societal'] as const).flatMap((axis) => {
    // Blur is a control that no content-preserving change needs.
    const ids =
      axis === 'spatial' ? [`invariance.${axis}.withoutBlur`, `invariance.${axis}`] : [`invariance.${axis}`];
    const id = ids.map((own) => `${own}.rrf@0.7`).find((own) => intervalOf(metrics, own) !== undefined);
    return id === undefined ? [] : [{ axis, id, interval: intervalOf(metrics, id)! }];
  });
  const article = betterArticle(neutralPairs(metrics));
  const spreads = wholeMetric(metrics, relativeId(rangeGapId))?.value ?? null;
  const gap =
    spreads === null
      ? say('invariance.gapOfRange')
      : say('invariance.gapInSpreads', spreads.toFixed(spreads < 0.095 ? 3 : 2));
  return found.map(({ axis, id, interval }) => ({
    text:
      axis === 'spatial'
        ? say('invariance.imagesSwapOrder', shares(interval), gap)
        : together(
            say('invariance.wordsSwapOrder', shares(interval), gap),
            neutralSwaps(metrics, id),
            article === undefined ? undefined : say('invariance.swapsByArticle'),
          ),
    rule: together(
      say('invariance.swapInterval', id),
      spreads === null ? say('invariance.swapsNotComparable') : say('invariance.swapsInSpreads'),
      scopeOf(metrics),
    ),
  }));
}

/** Any other word changes a score, so a neutral word in place of another one also swaps the order. */
function neutralSwaps(metrics: readonly Metric[], id: string): Words | undefined {
  const interval = intervalOf(metrics, id.replace('.societal.', '.societal.neutral.'), forNeutral);
  return interval && say('invariance.neutralSwaps', shares(interval));
}

function shares([low, high]: readonly [number, number]): Words {
  return say('invariance.percentInterval', (low * 100).toFixed(1), (high * 100).toFixed(1));
}

function moves(metrics: readonly Metric[]): Claim[] {
  return sideClaims(
    metrics,
    spatial.map(({ id, name }) => ({ prefix: `invariance.spatial.${id}`, name })),
  );
}

/** The words of a family have two sets of tests, each at half the level. */
const wordLevel = verdictLevel / 2;

/** The words of each family are tested together: first against a neutral word, then against each other. */
function words(metrics: readonly Metric[]): Claim[] {
  const families = societal.flatMap((family) => [
    ...sideClaims(
      metrics,
      metrics
        .filter(
          ({ id, slice }) =>
            slice === undefined &&
            id.startsWith(`invariance.societal.${family}.`) &&
            id.endsWith('.median') &&
            id.split('.').length === 5,
        )
        .map(({ id }) => ({
          prefix: id.replace(/\.median$/, ''),
          name: say('invariance.actReplacingNeutral', id.split('.')[3]),
        })),
      wordLevel,
    ),
    ...pairClaim(metrics, `invariance.societal.${family}`),
  ]);
  return [...neutralClaim(metrics), ...families];
}

/** The pair of a family's words that differ most on the same images, if their test supports it. */
function pairClaim(metrics: readonly Metric[], prefix: string): Claim[] {
  const isOwn = (id: string) => (metric: Metric) =>
    metric.id === `${prefix}.${id}` &&
    metric.slice?.variant !== undefined &&
    metric.slice.object === undefined;
  const article = betterArticle(neutralPairs(metrics));
  const tests = metrics.filter(isOwn('between')).filter(({ value }) => value !== null);
  const id = metrics.some((metric) => isOwn('contrast')(metric) && metric.moot)
    ? 'contrastDelta'
    : 'contrast';
  const found = metrics.filter(isOwn(id)).flatMap((metric) => {
    const { slice, ci, value } = metric;
    const test = tests.find(
      (one) => one.slice?.variant === slice?.variant && one.slice?.against === slice?.against,
    );
    return ci === undefined ||
      value === null ||
      observationsIn(metric) < leastImages ||
      test === undefined ||
      test.value! >= wordLevel ||
      against(ci, 0) === 'across' ||
      isByArticle(article, value > 0 ? [slice!.variant, slice!.against] : [slice!.against, slice!.variant])
      ? []
      : [{ slice: slice!, ci, value, pValue: test.value! }];
  });
  if (found.length === 0) return [];
  const { slice, ci, value, pValue } = found.reduce((most, one) =>
    Math.abs(one.value) > Math.abs(most.value) ? one : most,
  );
  // Neutral words differ, too. A difference within theirs says nothing about these words.
  const neutral = spreadOf(
    metrics.filter(
      (one) => one.id === `invariance.societal.neutral.${id}` && one.slice?.object === undefined,
    ),
  );
  const isBeside = neutral.largest > 0;
  // The largest of more pairs is larger by chance alone, so the words must vary more, too.
  const more = isBeside ? pOfMore(spreadOf(metrics.filter(isOwn(id))), neutral) : 0;
  if (Math.abs(value) <= neutral.largest || more >= varyLevel) return [];
  const names = [String(slice.variant), String(slice.against)];
  const [high, low] = value > 0 ? names : names.reverse();
  const { range, shown } = sizeOf(value > 0 ? ci : [-ci[1], -ci[0]], id === 'contrastDelta');
  const kinds = byObject(metrics, `${prefix}.${id}`, value > 0 ? 'above' : 'below', slice);
  return [
    {
      // The interval of the largest of several differences is too far from zero, one over unlike kinds says little.
      text: together(
        tests.length > 1 || kinds !== undefined
          ? say('invariance.wordScoresHigher', high, low)
          : say('invariance.wordScoresHigherBy', high, low, range),
        kinds?.text,
        neutralClaim(metrics).length === 0
          ? undefined
          : say('invariance.neutralDifferUpTo', metricText(`${prefix}.${id}`, neutral.largest)),
      ),
      rule: together(
        say(
          'invariance.pairInterval',
          `${prefix}.${id}`,
          high,
          low,
          shown,
          pEquals(pValue),
          tests.length,
          wordLevel,
          found.length,
        ),
        isBeside ? say('invariance.varyMore', neutral.words, pEquals(more), varyLevel) : undefined,
      ),
    },
  ];
}

/** Whether the article of the higher word alone may explain a difference, since neutral words differ by it, too. */
function isByArticle(better: 'a' | 'an' | undefined, [high, low]: readonly unknown[]): boolean {
  const [own, other] = [articleFor(String(high)), articleFor(String(low))];
  return own !== other && own === better;
}
