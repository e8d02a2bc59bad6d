/* Verdicts on the direction in which changes of an image or words move the score. */
import { groupedBy } from '../../../base/lists';
import { say, together, type Words } from '../../../base/say';
import { against, intervalOf, lies, type Side } from '../../claim';
import { adjustedTogether, adjustedWords, isSupported, verdictLevel } from '../../claimFamily';
import { type Metric, metricOf, type Slice, type Claim } from '../../metric';
import { wholeMetric } from '../../view';
import { eachNeutral } from './eachNeutral';
import { objectKinds } from './families';
import { neutralClaim } from './neutral';

/** Whether the change also shows before persons and before things alone. Undefined if one has no images. */
export function byObject(
  metrics: readonly Metric[],
  id: string,
  side: Side,
  slice: Slice = {},
): { text: Words; only?: string } | undefined {
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
  if (person !== 'shown' && thing !== 'shown') return { text: say('invariance.shownTogetherOnly') };
  const others = othersOf(id);
  return person === 'shown'
    ? { text: thingsWords[thing](others), only: objectKinds[0] }
    : { text: personsWords[person](others), only: objectKinds[1] };
}

/** What the images without a person show. Some families of words are not used before animals, and others only there. */
function othersOf(id: string): Words {
  const [, axis, family] = id.split('.');
  if (axis !== 'societal') return say('invariance.thingsAndAnimals');
  if (['cultural', 'economic', 'sociopolitical'].includes(family)) return say('invariance.things');
  return ['emotion', 'gender'].includes(family)
    ? say('invariance.animals')
    : say('invariance.thingsAndAnimals');
}

/** What things add to a change that is shown for persons. */
const thingsWords: Record<string, (others: Words) => Words> = {
  open: (others) => say('invariance.shownForPersons', others),
  few: (others) => say('invariance.thingsTooFew', others),
  reversed: (others) => say('invariance.thingsReversed', others),
};
const personsWords: Record<string, (others: Words) => Words> = {
  open: (others) => say('invariance.shownForThings', others),
  few: (others) => say('invariance.personsTooFew', others),
  reversed: (others) => say('invariance.personsReversed', others),
};

/**
 * Verdicts on the direction of the changes of a family, if the test agrees after Holm's correction and the
 * interval excludes zero. They state no size for words if the size depends on the neutral word. If changes in percent are meaningless, a verdict is about the score difference.
 */
export function sideClaims(
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
  const isNeutral = neutralClaim(metrics).length === 0;
  const shifts = adjustedTogether(tested, level).flatMap((one): Shift[] => {
    const { id, name, interval, each } = one;
    const side = against(interval, 0);
    if (side === 'across' || !isSupported(one)) return [];
    const { shown } = sizeOf(interval, id.endsWith('.delta'));
    const kinds = byObject(metrics, id, side);
    // The size is that of the images for which the change is shown.
    const own = kinds?.only === undefined ? interval : metricOf(metrics, id, { object: kinds.only })!.ci!;
    const { range, shown: shownOfKind } = sizeOf(own, id.endsWith('.delta'));
    const test = together(
      say('base.joinedParts', lies(id, shown, side, say('human.zero')), adjustedWords(one)),
      kinds?.only && say('invariance.intervalOfKind', kinds.only, shownOfKind),
    );
    return [
      {
        ...{ id, name, isRise: side === 'above', kinds: kinds?.text },
        range: !each || isNeutral ? rangeOf(id, range, kinds?.only) : undefined,
        rule: each ? say('invariance.largerOfTwoP', test) : test,
      },
    ];
  });
  return [...groupedBy(shifts, keyOf).values()].map((own) => ({
    text: together(shiftText(own, tested.length), own[0].kinds),
    rule: together(...own.map(({ rule }) => rule), scopeOf(metrics)),
  }));
}

/** The size is that of the images for which a change is shown. */
function rangeOf(id: string, range: Words, only: string | undefined): Words {
  if (only === undefined) return range;
  return only === objectKinds[0]
    ? say('invariance.rangeOfPersons', range)
    : say('invariance.rangeOfThings', range, othersOf(id));
}

/** A change that a test supports. */
interface Shift {
  id: string;
  name: Words;
  isRise: boolean;
  /** Undefined if the size depends on the neutral word. */
  range: Words | undefined;
  /** For which kinds of objects it is shown. */
  kinds: Words | undefined;
  rule: Words;
}

/** Words without sizes share a verdict. One for each would read as if the effect were special to that word. */
function keyOf({ id, isRise, range, kinds }: Shift): string {
  return range === undefined ? JSON.stringify([isRise, kinds]) : id;
}

function shiftText(shifts: readonly Shift[], of: number): Words {
  const [{ name, isRise, range }] = shifts;
  if (range !== undefined)
    return isRise
      ? say('invariance.changeRaisesScore', name, range)
      : say('invariance.changeLowersScore', name, range);
  if (shifts.length === 1)
    return isRise ? say('invariance.raisesScore', name) : say('invariance.lowersScore', name);
  const words = shifts.map(({ id }) => id.split('.')[3]).join(', ');
  return isRise
    ? say('invariance.wordsRaiseScore', shifts.length, of, words)
    : say('invariance.wordsLowerScore', shifts.length, of, words);
}

function isMoot(metrics: readonly Metric[], id: string): boolean {
  return wholeMetric(metrics, id)?.moot === true;
}

export function sizeOf(
  interval: readonly [number, number],
  inScores: boolean,
): { range: Words; shown: string } {
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
/** Metrics without a slice cover one kind of image if captions are generated. */
export function scopeOf(metrics: readonly Metric[]): Words | undefined {
  const isTemplated = metrics.some(({ id }) => id.startsWith('invariance.object.'));
  return isTemplated ? say('invariance.scopeSingle') : undefined;
}
