import { entryOf } from '../base/entryOf';
import { inARow, say, type Words, together } from '../base/say';
import type { Metric } from './metric';
import type { ProbeView } from './view';
import { baseId, isRelative } from '../protocol/parts/spreads';

/**
 * Returns a function that names a metric without a slice: by the name of its whole id, by its card's title, or
 * by the names of its id's parts, in this order. Without such names, the name is the id.
 */
export function metricNames(
  { cards, metricParts }: Pick<ProbeView, 'cards' | 'metricParts'>,
  metrics: readonly Metric[],
): (id: string) => Words {
  const titles = new Map(
    cards(metrics).map(({ metric, title, group }) => [
      metric,
      group === undefined ? title : say('base.labelledPart', group, title),
    ]),
  );
  const named = (id: string): Words =>
    entryOf(namesForAll, id) ??
    (metricParts && entryOf(metricParts, id)) ??
    titles.get(id) ??
    besideNames.find(([ending]) => id.endsWith(ending))?.[1] ??
    (metricParts && composed(id, metricParts)) ??
    id;
  return (id) => (isRelative(id) ? say('probe.metricInSpreads', named(baseId(id))) : named(id));
}

/** The names of metrics that reports of several probes have. */
const namesForAll: Readonly<Record<string, Words>> = {
  refused: say('probe.unscoredPairs'),
  'refused.difference': say('probe.unscoredPairsCompared'),
  'refused.difference.p': say('probe.unscoredPairsPValue'),
};

/** The names of metrics that compare an accuracy with models without the image, by the ends of their ids. */
const besideNames: readonly (readonly [ending: string, name: Words])[] = [
  ['.blind.gain', say('benchmark.gainName')],
  ['.blind.gain.p', say('base.labelledPart', say('benchmark.gainName'), say('invariance.pValue'))],
];

/** The displayed names of slices. Slices without a name here are shown as they are in the report. */
export const sliceNames: Readonly<Record<string, Words>> = {
  'caption length': say('probe.tagCaptionLength'),
  rule: say('probe.tagRule'),
  type: say('probe.tagType'),
  'words changed': say('probe.tagWordsChanged'),
  'words changed from P1 to P2': say('probe.tagPositiveWordsChanged'),
  'characters changed': say('probe.tagCharactersChanged'),
  'characters changed from P1 to P2': say('probe.tagPositiveCharactersChanged'),
  'characters changed from P1 to N': say('probe.tagNegativeCharactersChanged'),
  set: say('probe.tagSet'),
  comparison: say('probe.tagComparison'),
  images: say('probe.alteredImages'),
  word: say('probe.tagWord'),
  distance: say('probe.tagDistance'),
  against: say('probe.tagComparedWith'),
  category: say('probe.tagCategory'),
  captions: say('probe.tagCaptions'),
  without: say('probe.tagWithout'),
  frequency: say('probe.tagFrequency'),
  coverage: say('probe.tagCoverage'),
  family: say('probe.tagFamily'),
  variant: say('lgip.variant'),
  axis: say('filter.axis'),
  error: say('probe.tagError'),
  'word kind': say('explain.kindOfWord'),
};

/** The names of the parts of an id, joined. Undefined if the first part after the probe's id has no name. */
function composed(id: string, names: Readonly<Record<string, Words>>): Words | undefined {
  // A dot in a number such as rrf@0.7 does not separate parts.
  const [, first, ...others] = id.split(/\.(?!\d)|(?<!@\d)\.(?=\d)/);
  const nameOf = (part: string): Words | undefined => {
    const size = /^(.+@)(\d+)$/.exec(part);
    const sized = size === null ? undefined : entryOf(names, size[1]);
    return entryOf(names, part) ?? (sized && together(sized, size![2]));
  };
  const head = nameOf(first);
  return head && inARow([head, ...others.map((part) => nameOf(part) ?? part)], ', ');
}
