import { binomialTails } from '../stats/distributions';
import { leastExpected, leastImages } from '../stats/decisions/smallSample';
import { observationCount, observations } from '../base/text/observations';
import { say, together, type Words } from '../base/say';
import { inClusters } from './inference/clusterWords';
import { imagesOf, type Metric, metricOf, observationsIn, type Slice, type Claim } from './metric';
import { metricNames } from './metricNames';
import { examplesNeeded } from './needed';
import type { Probe } from './probe';
import { wholeMetric } from './view';

export type Side = 'above' | 'below' | 'across';

/**
 * The interval of a metric, over all examples if `slice` is not given. Undefined if the metric has no interval or
 * fewer than `leastImages` observations.
 */
export function intervalOf(
  metrics: readonly Metric[],
  id: string,
  slice?: Slice,
): readonly [number, number] | undefined {
  const metric = metricOf(metrics, id, slice);
  return metric === undefined || observationsIn(metric) < leastImages ? undefined : metric.ci;
}

/**
 * A report's verdicts in English, each with its rule. Rules name metrics by title and id. If there are too few
 * images for any verdict, the list has one sentence that says so. `cluster` is the column of the clusters.
 */
export function claimsOf(
  probe: Pick<Probe, 'claims' | 'cards' | 'metricParts'>,
  metrics: readonly Metric[],
  cluster?: string,
): Claim[] {
  const nameOf = metricNames(probe, metrics);
  const isMetric = new Set(metrics.map(({ id }) => id));
  const inUnits = (words: Words): Words => (cluster === undefined ? words : inClusters(words));
  return verdictsOf(probe, metrics, cluster).map(({ text, rule }) => ({
    text: replaced(text, (value) => (isMetric.has(value) ? nameOf(value) : value)),
    rule: inUnits(
      replaced(rule, (value) =>
        isMetric.has(value) ? say('probe.metricWithValue', nameOf(value), value) : value,
      ),
    ),
  }));
}

function replaced(words: Words, by: (value: string) => Words): Words {
  if (typeof words === 'string') return by(words);
  return { code: words.code, values: words.values.map((value) => replaced(value, by)) };
}

function verdictsOf(
  { claims }: Pick<Probe, 'claims'>,
  metrics: readonly Metric[],
  cluster: string | undefined,
): Claim[] {
  const made = claims(metrics);
  const small = metrics.find(
    (one) => one.slice === undefined && one.ci !== undefined && imagesOf(one) < leastImages,
  );
  if (made.length > 0 || small === undefined) return made;
  return [
    {
      text: say('probe.tooFewForVerdictOf', observations(cluster), small.id, imagesOf(small), leastImages),
      rule: say('probe.verdictNeeds', observationCount(leastImages, cluster)),
    },
  ];
}

/** Whether an interval lies above or below a value such as chance level or zero. "across": it contains the value. */
export function against([low, high]: readonly [number, number], value: number): Side {
  if (low > value) return 'above';
  return high < value ? 'below' : 'across';
}

/** Whether fewer than five images are expected to differ from the rest at a level, where intervals of shares are too short. */
function isRare(metric: Metric, level: number): boolean {
  return level > 0 && level < 1 && imagesOf(metric) * Math.min(level, 1 - level) < leastExpected;
}

/** A share's p value near 0 or 1 by the exact binomial test with images as trials. 0 elsewhere, where the interval decides. */
export function exactP(metric: Metric, level: number): number {
  if (metric.value === null || !isRare(metric, level)) return 0;
  const images = imagesOf(metric);
  const found = metric.value * images;
  const tail =
    metric.value > level
      ? binomialTails(Math.floor(found + 1e-9) - 1, images, level).upper
      : binomialTails(Math.ceil(found - 1e-9), images, level).lower;
  return Math.min(1, 2 * tail);
}

/** Which test a share's verdict needs at a level close to 0 or 1. */
export function rareWords(metric: Metric, level: number): Words | undefined {
  return isRare(metric, level) ? say('probe.exactTest', leastExpected, percent(level)) : undefined;
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

export function percents([low, high]: readonly [number, number]): string {
  return `[${percent(low)}, ${percent(high)}]`;
}

/**
 * Compares a rate with its chance level. Returns one verdict, or none if the rate has no interval or too few
 * images. `family` is the rate's test among the tests that are read together (see claimFamily.ts).
 */
export function rateClaim(
  metrics: readonly Metric[],
  id: string,
  chance: number,
  words: Record<Side, Words>,
  family?: { isSupported: boolean; rule: Words },
): Claim[] {
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const { n } = wholeMetric(metrics, id)!;
  const lying = against(interval, chance);
  const rare = rareWords(wholeMetric(metrics, id)!, chance);
  const side = family?.isSupported === false || rare !== undefined ? 'across' : lying;
  const alone = together(
    lies(id, percents(interval), lying, say('probe.chanceLevel', percent(chance))),
    rare,
  );
  const rule = family === undefined ? alone : say('base.joinedParts', alone, family.rule);
  const needed = side === 'across' ? examplesNeeded(wholeMetric(metrics, id)!, chance) : undefined;
  return [
    {
      text:
        lying === 'across'
          ? together(words[side], say('probe.rateMayBe', ...interval.map(percent), n))
          : words[side],
      rule:
        needed === undefined ? rule : say('probe.examplesNeededIfSame', rule, needed.toLocaleString('en')),
    },
  ];
}

/** A sentence that says whether a metric's interval lies above a value, lies below it or contains it. */
export function lies(id: string, interval: string, side: Side, of: Words): Words {
  if (side === 'above') return say('probe.ciAbove', id, interval, of);
  if (side === 'below') return say('probe.ciBelow', id, interval, of);
  return say('probe.ciContains', id, interval, of);
}
