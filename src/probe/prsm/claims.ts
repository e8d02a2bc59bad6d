import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  type Tested,
  testOf,
} from '../claimFamily';
import { differenceTest } from '../inference/difference';
import { metricOf, type Metric, type Claim } from '../metric';
import { setNames, type SetName } from './wordings';

/** Two top lists count as mostly the same if they share more than this part of what unrelated captions do not share. */
const most = 0.8;

const setWords: Record<SetName, Words> = {
  P1: say('prsm.setParaphrases'),
  P2: say('prsm.setPrefixes'),
  P3: say('prsm.setSynonyms'),
};

/** A verdict about one set: whether its wordings find the same images, beyond those that unrelated captions share. */
function setClaim(
  id: string,
  { size, set, floor }: { size: Words; set: SetName; floor: Metric },
  interval: readonly [number, number],
) {
  const side = against(interval, most);
  const isChance = interval[0] <= 0;
  const words: Record<Side, Words> = {
    above: say('prsm.mostlySameImages', setWords[set], size),
    across: say('prsm.overlapUndecided', setWords[set], size),
    below: isChance
      ? say('prsm.notBeyondUnrelated', setWords[set], size)
      : say('prsm.lessBeyondUnrelated', setWords[set], size),
  };
  return (own: Adjusted<Tested>): Claim[] => {
    const rule = say(
      'prsm.scaleOfOverlap',
      lies(id, percents(interval), side, percent(most)),
      percent(floor.value!),
      percent(floor.chance!),
    );
    return [
      {
        text: words[isSupported(own) ? side : 'across'],
        rule: own.of === 1 ? rule : say('base.joinedParts', rule, adjustedWords(own)),
      },
    ];
  };
}

/** A verdict about a difference between two sets or two groups, if its test supports one. */
function differenceClaim(metric: Metric, size: Words, [low, high]: readonly [number, number]) {
  const { set = '', ...group } = metric.slice ?? {};
  const [[column, value] = ['', '']] = Object.entries(group);
  const isSets = column === '';
  const [a, b] = String(isSets ? set : value).split(' − ');
  const [more, fewer] = low > 0 ? [a, b] : [b, a];
  const where: Words = isSets ? say('prsm.betweenSets') : say('prsm.setByColumn', String(set), column);
  return (own: Adjusted<Tested>): Claim[] =>
    isSupported(own)
      ? [
          {
            text: say('prsm.setChangesLess', where, size, more, fewer),
            rule: say('prsm.setDifferenceRule', a, b, percents([low, high]), adjustedWords(own)),
          },
        ]
      : [];
}

/** Whether the sets are in the other order beyond what their own unrelated captions share. */
function isReversed(metrics: readonly Metric[], id: string, { slice, value }: Metric): boolean {
  const { set = '', ...group } = slice ?? {};
  if (Object.keys(group).length > 0 || value === null) return false;
  const [a, b] = String(set)
    .split(' − ')
    .map((name) => metricOf(metrics, id, { set: name })?.value);
  return typeof a === 'number' && typeof b === 'number' && (a - b) * value < 0;
}

/** "100 of 239": two random lists of 239 images share 100/239 of their first 100. */
function topOfAll(size: number, chance: number | null | undefined): Words {
  return chance ? say('prsm.topOfAll', size, Math.round(size / chance)) : String(size);
}

export function prsmClaims(metrics: readonly Metric[]): Claim[] {
  // The first size whose list does not have all images.
  const id = metrics.find(({ id }) => /^prsm\.local@\d+\.beyond$/.test(id))?.id;
  const size = id === undefined ? undefined : /@(\d+)/.exec(id)![1];
  if (id === undefined || size === undefined) return [];
  const sizeOfAll = topOfAll(Number(size), metricOf(metrics, `prsm.local@${size}.floor`)?.chance);
  const sets = setNames.flatMap((set) => {
    const interval = intervalOf(metrics, id, { set });
    const test = testOf(metrics, id, most, { set });
    const floor = metricOf(metrics, `prsm.local@${size}.floor`, { set });
    return interval === undefined || test === undefined || typeof floor?.value !== 'number'
      ? []
      : [{ ...test, claims: setClaim(id, { size: sizeOfAll, set, floor }, interval) }];
  });
  const between = `prsm.between.local@${size}`;
  const differences = metrics
    .filter((metric) => metric.id === between)
    .flatMap((metric) => {
      const test = differenceTest(metrics, between, metric.slice);
      return test === undefined || metric.ci === undefined || isReversed(metrics, id, metric)
        ? []
        : [{ ...test, claims: differenceClaim(metric, sizeOfAll, metric.ci) }];
    });
  return adjustedTogether([...sets, ...differences]).flatMap((one) => one.claims(one));
}
