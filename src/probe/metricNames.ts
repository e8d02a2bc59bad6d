import { entryOf } from '../base/entryOf';
import { inARow, say, type Words } from '../base/say';
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
      group === undefined ? title : say`${group}: ${title}`,
    ]),
  );
  const named = (id: string): Words =>
    entryOf(namesForAll, id) ??
    (metricParts && entryOf(metricParts, id)) ??
    titles.get(id) ??
    (metricParts && composed(id, metricParts)) ??
    id;
  return (id) => (isRelative(id) ? say`${named(baseId(id))} (in spreads)` : named(id));
}

/** The names of metrics that reports of several probes have. */
const namesForAll: Readonly<Record<string, Words>> = {
  refused: say`pairs without a score`,
  'refused.difference': say`pairs without a score, compared with other groups`,
  'refused.difference.p': say`pairs without a score, compared with other groups: p value`,
};

/** The displayed names of slices. Slices without a name here are shown as they are in the report. */
export const sliceNames: Readonly<Record<string, Words>> = {
  'caption length': say`caption length`,
  rule: say`rule`,
  type: say`type`,
  'words changed': say`words changed`,
  'words changed from P1 to P2': say`words changed from P1 to P2`,
  'characters changed': say`characters changed`,
  'characters changed from P1 to P2': say`characters changed from P1 to P2`,
  'characters changed from P1 to N': say`characters changed from P1 to N`,
  set: say`set`,
  comparison: say`comparison`,
  pictures: say`altered images`,
  word: say`word`,
  distance: say`distance`,
  against: say`compared with`,
  category: say`category`,
  captions: say`captions`,
  without: say`without`,
  frequency: say`frequency`,
  coverage: say`coverage`,
  family: say`family`,
  variant: say`variant`,
};

/** The names of the parts of an id, joined. Undefined if the first part after the probe's id has no name. */
function composed(id: string, names: Readonly<Record<string, Words>>): Words | undefined {
  // A dot in a number such as rrf@0.7 does not separate parts.
  const [, first, ...others] = id.split(/\.(?!\d)|(?<!@\d)\.(?=\d)/);
  const nameOf = (part: string): Words | undefined => {
    const size = /^(.+@)(\d+)$/.exec(part);
    const sized = size === null ? undefined : entryOf(names, size[1]);
    return entryOf(names, part) ?? (sized && inARow([sized, size![2]], ' '));
  };
  const head = nameOf(first);
  return head && inARow([head, ...others.map((part) => nameOf(part) ?? part)], ', ');
}
