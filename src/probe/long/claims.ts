import { say, together, type Words } from '../../base/say';
import { leastImages } from '../../stats/decisions/smallSample';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  type Tested,
  testOf,
} from '../claimFamily';
import { type Metric, observationsIn, type Claim } from '../metric';
import { wholeMetric } from '../view';

interface Candidate extends Tested {
  id: string;
  interval: readonly [number, number];
  /** What the interval is compared with. */
  value: number;
  beside: Words;
  shown: string;
  words: Record<Side, Words | undefined>;
  /** What the verdict must be read with. */
  after?: Words;
}

/** The verdicts on errors, on their position and on edits of sentences are one family. */
export function longClaims(metrics: readonly Metric[]): Claim[] {
  const family = [...detection(metrics), ...position(metrics), ...edits(metrics)];
  return [...limit(metrics), ...adjustedTogether(family).flatMap(claimOf)];
}

function ends(interval: readonly [number, number], digits: number): string {
  return `[${interval.map((end) => end.toFixed(digits)).join(', ')}]`;
}

/** An interval within a sentence. */
function rangeOf(interval: readonly [number, number]): Words {
  const [low, high] = interval.map((end) => (end * 100).toFixed(1));
  return say('invariance.percentInterval', low, high);
}

function claimOf(one: Adjusted<Candidate>): Claim[] {
  const side = isSupported(one) ? against(one.interval, one.value) : 'across';
  const text = one.words[side];
  if (text === undefined) return [];
  return [
    {
      text: together(text, one.after),
      rule: say(
        'base.joinedParts',
        lies(one.id, one.shown, against(one.interval, one.value), one.beside),
        adjustedWords(one),
      ),
    },
  ];
}

/** An evaluator that guesses detects half of the errors that change its score. */
function detection(metrics: readonly Metric[]): Candidate[] {
  const id = 'long.pr';
  const { n = 0, ties = 0 } = wholeMetric(metrics, id) ?? {};
  const level = n === 0 ? 0.5 : 0.5 * (1 - ties / n);
  const interval = intervalOf(metrics, id);
  const test = testOf(metrics, id, level);
  if (interval === undefined || test === undefined) return [];
  const range = rangeOf(interval);
  return [
    {
      ...{ ...test, id, interval, value: level, shown: percents(interval) },
      beside:
        ties > 0
          ? say('long.chanceWithTies', percent(level), percent(ties / n))
          : say('probe.chanceLevel', percent(level)),
      words: {
        above: say('long.detectedMore', range),
        below: say('long.detectedLess', range),
        across: say('long.detectedAsChance'),
      },
    },
  ];
}

/** Errors that the evaluator does not read lower the slope, so the slope of those that it reads stands beside it. */
function position(metrics: readonly Metric[]): Candidate[] {
  const ofAll = slopeOf(metrics, 'long.slope', {
    below: say('long.laterLess'),
    above: say('long.laterMore'),
    across: undefined,
  });
  const unread = wholeMetric(metrics, 'long.ignored')?.value;
  if (ofAll.length === 0 || (typeof unread === 'number' && unread === 0)) return ofAll;
  if (typeof unread !== 'number') return ofAll.map((one) => ({ ...one, after: tiesOf(metrics) }));
  const read = slopeOf(metrics, 'long.slope.read', {
    below: say('long.laterReadLess'),
    above: say('long.laterReadMore'),
    across: say('long.laterReadUndecided'),
  });
  return [...ofAll, ...read];
}

/** The changes without effect. If the token limit is not known, it may be the reason. */
function tiesOf(metrics: readonly Metric[], id = 'long.pr'): Words | undefined {
  const { n = 0, ties = 0 } = wholeMetric(metrics, id) ?? {};
  if (ties === 0) return undefined;
  const isKnown = typeof wholeMetric(metrics, 'long.ignored')?.value === 'number';
  return together(
    id === 'long.pr' ? say('long.errorsTied', percent(ties / n)) : say('long.editsTied', percent(ties / n)),
    isKnown ? undefined : id === 'long.repeat' ? say('long.limitMayPushOut') : say('long.limitMayExplain'),
  );
}

function slopeOf(metrics: readonly Metric[], id: string, words: Candidate['words']): Candidate[] {
  const interval = intervalOf(metrics, id);
  const p = wholeMetric(metrics, `${id}.p`);
  if (interval === undefined || typeof p?.value !== 'number' || observationsIn(p) < leastImages) return [];
  return [
    {
      ...{ pValue: p.value, id, interval, value: 0, shown: ends(interval, 2), beside: say('human.zero') },
      words,
    },
  ];
}

const editWords: Readonly<Record<string, Record<'above' | 'below', Words>>> = {
  delete: { above: say('long.deleteRaises'), below: say('long.deleteLowers') },
  repeat: { above: say('long.repeatRaises'), below: say('long.repeatLowers') },
  move: { above: say('long.moveRaises'), below: say('long.moveLowers') },
};

function edits(metrics: readonly Metric[]): Candidate[] {
  return Object.entries(editWords).flatMap(([kind, words]): Candidate[] => {
    const id = `long.${kind}`;
    const interval = intervalOf(metrics, id);
    const test = testOf(metrics, id, 0);
    if (interval === undefined || test === undefined) return [];
    const shown = ends(interval, 4);
    return [
      {
        ...test,
        id,
        interval,
        value: 0,
        shown,
        beside: say('human.zero'),
        words: { ...words, across: undefined },
        after: tiesOf(metrics, id),
      },
    ];
  });
}

/** How much of the errors the evaluator cannot see. This is counted, so it needs no test. */
function limit(metrics: readonly Metric[]): Claim[] {
  const id = 'long.ignored';
  const interval = intervalOf(metrics, id);
  const metric = wholeMetric(metrics, id);
  if (interval === undefined || typeof metric?.value !== 'number' || !(interval[0] > 0)) return [];
  const changed = wholeMetric(metrics, 'long.ignored.changed');
  const exact =
    changed?.value === 0 ? say('long.noneChanged', changed.n) : say('long.someChanged', changed?.n ?? 0);
  return [
    {
      text: say('long.unread', rangeOf(interval)),
      rule: say('base.joinedParts', say('long.unreadRule', id, percent(metric.value)), exact),
    },
  ];
}
