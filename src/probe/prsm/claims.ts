import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  pOfInterval,
  type Tested,
} from '../claimFamily';
import { differenceTest } from '../inference/difference';
import { metricOf, type Metric } from '../metric';
import type { Claim } from '../probe';
import { setNames, type SetName } from './wordings';

/** Two top lists count as mostly the same if they share more than this part of what unrelated captions do not share. */
const most = 0.8;

const setWords: Record<SetName, Words> = {
  P1: say`Paraphrases (P1)`,
  P2: say`Prefixes (P2)`,
  P3: say`Synonyms of attributes (P3)`,
};

/** A verdict about one set: whether its wordings find the same images, beyond those that unrelated captions share. */
function setClaim(
  id: string,
  { size, set, floor }: { size: string; set: SetName; floor: Metric },
  interval: readonly [number, number],
) {
  const side = against(interval, most);
  const isChance = interval[0] <= 0;
  const words: Record<Side, Words> = {
    above: say`${setWords[set]}: a reworded query finds mostly the same top ${size} images.`,
    across: say`${setWords[set]}: the data do not show whether a reworded query finds mostly the same top ${size} images.`,
    below: isChance
      ? say`${setWords[set]}: the data do not show that the wordings of a query share more of their top ${size} than unrelated captions do.`
      : say`${setWords[set]}: of what unrelated captions do not share of the top ${size}, less than 80 % stays if a query is reworded.`,
  };
  return (own: Adjusted<Tested>): Claim[] => {
    const rule = say`${lies(id, percents(interval), side, percent(most))} 0 % is the overlap of unrelated captions (${percent(floor.value!)}; two random lists: ${percent(floor.chance!)}), 100 % that of equal lists. Hubs, which come first for most captions, raise the overlap of unrelated captions, too.`;
    return [
      {
        text: words[isSupported(own) ? side : 'across'],
        rule: own.of === 1 ? rule : say`${rule} ${adjustedWords(own)}`,
      },
    ];
  };
}

/** A verdict about a difference between two sets or two groups, if its test supports one. */
function differenceClaim(metric: Metric, size: string, [low, high]: readonly [number, number]) {
  const { set = '', ...group } = metric.slice ?? {};
  const [[column, value] = ['', '']] = Object.entries(group);
  const isSets = column === '';
  const [a, b] = String(isSets ? set : value).split(' − ');
  const [more, fewer] = low > 0 ? [a, b] : [b, a];
  const where: Words = isSets ? say`Between the sets` : say`${String(set)}, by ${column}`;
  return (own: Adjusted<Tested>): Claim[] =>
    isSupported(own)
      ? [
          {
            text: say`${where}: the top ${size} images change less for ${more} than for ${fewer}.`,
            rule: say`The 95 % interval of the difference ${a} − ${b} of the overlap is ${percents([low, high])}. ${adjustedWords(own)}`,
          },
        ]
      : [];
}

export function prsmClaims(metrics: readonly Metric[]): Claim[] {
  // The first size whose list does not have all images.
  const id = metrics.find(({ id }) => /^prsm\.local@\d+\.beyond$/.test(id))?.id;
  const size = id === undefined ? undefined : /@(\d+)/.exec(id)![1];
  if (id === undefined || size === undefined) return [];
  const sets = setNames.flatMap((set) => {
    const interval = intervalOf(metrics, id, { set });
    const value = metricOf(metrics, id, { set })?.value;
    const floor = metricOf(metrics, `prsm.local@${size}.floor`, { set });
    return interval === undefined || typeof value !== 'number' || typeof floor?.value !== 'number'
      ? []
      : [
          {
            pValue: pOfInterval(value, interval, most),
            claims: setClaim(id, { size, set, floor }, interval),
          },
        ];
  });
  const between = `prsm.between.local@${size}`;
  const differences = metrics
    .filter((metric) => metric.id === between)
    .flatMap((metric) => {
      const test = differenceTest(metrics, between, metric.slice);
      return test === undefined || metric.ci === undefined
        ? []
        : [{ ...test, claims: differenceClaim(metric, size, metric.ci) }];
    });
  return adjustedTogether([...sets, ...differences]).flatMap((one) => one.claims(one));
}
