import { say, together, type Words } from '../../base/say';
import { pEquals } from '../../base/pValue';
import { leastImages } from '../../stats/decisions/smallSample';
import { against, intervalOf, lies, type Side } from '../claim';
import { adjustedTogether, adjustedWords, isSupported, verdictLevel } from '../claimFamily';
import { keepFlipsClaims } from '../filter/claims';
import type { Claim } from '../probe';
import { type Metric, metricOf, observationsIn, type Slice } from '../metric';
import { articleFor } from '../../perturb/words/number';
import { relativeId } from '../../protocol/parts/spreads';
import { eachNeutral } from './compare/eachNeutral';
import { objectKinds } from './compare/families';
import { rangeGapId } from './display/names';
import { betterArticle, neutralPairs } from './compare/neutral';
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
    ...keepFlipsClaims(metrics, 'invariance', (kept, reversed) =>
      say('filter.changesReverse', kept, reversed),
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

/** Any added word changes a score, so a neutral word alone also swaps the order. */
function neutralSwaps(metrics: readonly Metric[], id: string): Words | undefined {
  const interval = intervalOf(metrics, id.replace('.societal.', '.societal.neutral.'));
  return interval && say('invariance.neutralSwaps', shares(interval));
}

/** Metrics without a slice cover one kind of image if captions are generated. */
function scopeOf(metrics: readonly Metric[]): Words | undefined {
  const isTemplated = metrics.some(({ id }) => id.startsWith('invariance.object.'));
  return isTemplated ? say('invariance.scopeSingle') : undefined;
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

const neutralId = 'invariance.societal.neutral.between';

function neutralClaim(metrics: readonly Metric[]): Claim[] {
  const p = wholeMetric(metrics, neutralId);
  if (typeof p?.value !== 'number' || p.value >= verdictLevel || observationsIn(p) < leastImages) return [];
  const pairs = neutralPairs(metrics);
  const [first] = pairs;
  const text =
    first === undefined
      ? say('invariance.neutralWordsDiffer')
      : betterArticle(pairs) === undefined
        ? say('invariance.neutralPairDiffers', ...first.words)
        : say('invariance.neutralArticlesDiffer', ...first.words);
  return [{ text, rule: say('invariance.neutralWordsTest', neutralId, pEquals(p.value), verdictLevel) }];
}

/**
 * Whether the change also shows before persons alone and before things alone. Undefined if all images are of one kind or
 * both agree with the side.
 */
function byObject(metrics: readonly Metric[], id: string, side: Side, slice: Slice = {}): Words | undefined {
  const found = objectKinds.map((object) => {
    const metric = metricOf(metrics, id, { ...slice, object });
    if (metric === undefined || metric.value === null) return undefined;
    if (metric.ci === undefined) return 'few';
    const own = against(metric.ci, 0);
    return own === side ? 'shown' : own === 'across' ? 'open' : 'reversed';
  });
  const [person, thing] = found;
  if (person === undefined || thing === undefined || (person === 'shown' && thing === 'shown'))
    return undefined;
  if (person !== 'shown' && thing !== 'shown') return say('invariance.shownTogetherOnly');
  return person === 'shown' ? thingsWords[thing] : personsWords[person];
}

/** What things add to a change that is shown for persons. */
const thingsWords: Record<string, Words> = {
  open: say('invariance.shownForPersons'),
  few: say('invariance.thingsTooFew'),
  reversed: say('invariance.thingsReversed'),
};
const personsWords: Record<string, Words> = {
  open: say('invariance.shownForThings'),
  few: say('invariance.personsTooFew'),
  reversed: say('invariance.personsReversed'),
};

/**
 * Verdicts on the direction of the changes of a family, if the test agrees after Holm's correction and the
 * interval excludes zero. They state no size for words if the size depends on the neutral word. If changes in percent are meaningless, a verdict is about the score difference.
 */
function sideClaims(
  metrics: readonly Metric[],
  family: readonly { prefix: string; name: Words }[],
  level = verdictLevel,
): Claim[] {
  const tested = family.flatMap(({ prefix, name }) => {
    const id = isMoot(metrics, `${prefix}.median`) ? `${prefix}.delta` : `${prefix}.median`;
    const interval = intervalOf(metrics, id);
    const pValue = wholeMetric(metrics, `${prefix}.p`)?.value;
    const each = metricOf(metrics, `${prefix}.p`, eachNeutral);
    return interval === undefined || typeof pValue !== 'number' || each?.value === null
      ? []
      : [{ id, name, interval, pValue: Math.max(pValue, each?.value ?? 0), each: each !== undefined }];
  });
  const neutral = neutralClaim(metrics);
  return adjustedTogether(tested, level).flatMap((one) => {
    const { id, name, interval } = one;
    const side = against(interval, 0);
    if (side === 'across' || !isSupported(one)) return [];
    const { range, shown } = sizeOf(interval, id.endsWith('.delta'));
    const isSized = !one.each || neutral.length === 0;
    const text =
      side === 'above'
        ? isSized
          ? say('invariance.changeRaisesScore', name, range)
          : say('invariance.raisesScore', name)
        : isSized
          ? say('invariance.changeLowersScore', name, range)
          : say('invariance.lowersScore', name);
    const rule = say('base.joinedParts', lies(id, shown, side, say('human.zero')), adjustedWords(one));
    return [
      {
        text: together(text, byObject(metrics, id, side)),
        rule: together(one.each ? say('invariance.largerOfTwoP', rule) : rule, scopeOf(metrics)),
      },
    ];
  });
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
  const names = [String(slice.variant), String(slice.against)];
  const [high, low] = value > 0 ? names : names.reverse();
  const { range, shown } = sizeOf(value > 0 ? ci : [-ci[1], -ci[0]], id === 'contrastDelta');
  return [
    {
      // The interval of the largest of several differences is too far from zero.
      text: together(
        tests.length > 1
          ? say('invariance.wordScoresHigher', high, low)
          : say('invariance.wordScoresHigherBy', high, low, range),
        byObject(metrics, `${prefix}.${id}`, value > 0 ? 'above' : 'below', slice),
      ),
      rule: say(
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
    },
  ];
}

/** Whether the article of the higher word alone may explain a difference, since neutral words differ by it, too. */
function isByArticle(better: 'a' | 'an' | undefined, [high, low]: readonly unknown[]): boolean {
  const [own, other] = [articleFor(String(high)), articleFor(String(low))];
  return own !== other && own === better;
}

function isMoot(metrics: readonly Metric[], id: string): boolean {
  return wholeMetric(metrics, id)?.moot === true;
}

function sizeOf(interval: readonly [number, number], inScores: boolean): { range: Words; shown: string } {
  const nearest = Math.min(Math.abs(interval[0]), Math.abs(interval[1]));
  // A bound that excludes zero is never printed as zero.
  const digits = Math.max(inScores ? 3 : 1, Math.min(9, Math.ceil(-Math.log10(nearest))));
  const [least, most] = interval
    .map((end) => Math.abs(end))
    .sort((a, b) => a - b)
    .map((end) => end.toFixed(digits));
  return {
    range: inScores
      ? say('invariance.interval', least, most)
      : say('invariance.percentInterval', least, most),
    shown: `[${interval.map((end) => end.toFixed(digits + 1)).join(', ')}]`,
  };
}
