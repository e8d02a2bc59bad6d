import { scoreText } from '../../base/pValue';
import { inARow, say, together, type Words } from '../../base/say';
import { relativeId } from '../../protocol/parts/spreads';
import { against, intervalOf, lies, type Side } from '../claim';
import { type Adjusted, adjustedTogether, adjustedWords, isSupported, type Tested } from '../claimFamily';
import { differenceTest } from '../inference/difference';
import { type Metric, metricOf, type Claim } from '../metric';
import { wholeMetric } from '../view';
import { kindNames } from './names';
import { comparedKinds, kindContrast, otherWords, positionContrast } from './contrasts';

interface Supported {
  id: string;
  side: Side;
  size: Words;
  rule: Words;
}

/** Each kind of word against nouns, and late nouns against early ones: one family of tests. */
export function explainClaims(metrics: readonly Metric[]): Claim[] {
  const tested = [...comparedKinds.map(kindContrast), positionContrast].flatMap((id) => {
    const test = differenceTest(metrics, id);
    return test === undefined ? [] : [{ id, ...test }];
  });
  const supported = adjustedTogether(tested).flatMap((one) => supportedOf(metrics, one));
  const unit = isRelative(metrics) ? say('explain.inSpreads') : say('explain.inScore');
  const claimsOf = (side: Side, kinds: (named: Words) => Words, nouns: (by: Words) => Words): Claim[] => {
    const own = supported.filter((one) => one.side === side);
    const ofKinds = comparedKinds.flatMap((kind) =>
      own.filter(({ id }) => id === kindContrast(kind)).map((one) => ({ ...one, kind })),
    );
    // Kinds that differ in the same way are one verdict, so that they do not read as several effects.
    const named = ofKinds.map(({ kind, size }) => say('probe.nameWithDetail', kindNames[kind], size));
    return [
      ...(ofKinds.length === 0
        ? []
        : [{ text: kinds(inARow(named, ', ')), rule: together(...ofKinds.map(({ rule }) => rule)) }]),
      ...own
        .filter(({ id }) => id === positionContrast)
        .map(({ size, rule }) => ({ text: together(nouns(size), ofOtherWords(metrics, side)), rule })),
    ];
  };
  return [
    ...claimsOf(
      'above',
      (named) => say('explain.moreThanNouns', named, unit),
      (by) => say('explain.lateNounsMore', by, unit),
    ),
    ...claimsOf(
      'below',
      (named) => say('explain.lessThanNouns', named, unit),
      (by) => say('explain.lateNounsLess', by, unit),
    ),
  ];
}

function supportedOf(metrics: readonly Metric[], one: Adjusted<Tested & { id: string }>): Supported[] {
  const { id } = one;
  const interval = intervalOf(metrics, id);
  if (interval === undefined || !isSupported(one)) return [];
  const side = against(interval, 0);
  const shown = `[${interval.map((end) => scoreText(end, interval)).join(', ')}]`;
  return [
    {
      ...{ id, side, size: sizeOf(metrics, id, interval) },
      rule: together(
        lies(id, shown, side, say('human.zero')),
        wholeMetric(metrics, `${id}.p`)?.note,
        adjustedWords(one),
      ),
    },
  ];
}

const relativeOf = (metrics: readonly Metric[], id: string): number | null | undefined =>
  wholeMetric(metrics, relativeId(id))?.value;

/** Late words of other kinds beside early ones, so that a difference of places does not read as one of nouns. */
function ofOtherWords(metrics: readonly Metric[], side: Side): Words | undefined {
  const own = metricOf(metrics, positionContrast, otherWords);
  if (typeof own?.value !== 'number') return undefined;
  const spread = metricOf(metrics, relativeId(positionContrast), otherWords)?.value;
  const size =
    isRelative(metrics) && typeof spread === 'number' ? spread.toFixed(2) : scoreText(own.value, own.ci);
  if (own.ci === undefined) return say('explain.otherWordsDiffer', size);
  const theirs = against(own.ci, 0);
  if (theirs === 'across') return say('explain.otherWordsUndecided', size);
  return theirs === side ? say('explain.otherWordsToo', size) : say('explain.otherWordsDiffer', size);
}

/** Whether sizes are in spreads of the evaluator. They are in units of the score if the spread is not known. */
const isRelative = (metrics: readonly Metric[]): boolean =>
  typeof relativeOf(metrics, 'explain.word') === 'number';

function sizeOf(metrics: readonly Metric[], id: string, interval: readonly [number, number]): string {
  const spreads = relativeOf(metrics, id);
  return isRelative(metrics) && typeof spreads === 'number'
    ? Math.abs(spreads).toFixed(2)
    : scoreText(Math.abs(wholeMetric(metrics, id)!.value!), interval);
}
