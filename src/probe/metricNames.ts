import { entryOf } from '../base/entryOf';
import { inARow, say, type Words } from '../base/say';
import type { Metric } from './metric';
import type { ProbeView } from './view';

/** The displayed names of metrics without their slices: the titles of cards, names of the parts of ids, or ids. */
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
  return (id) =>
    (metricParts && entryOf(metricParts, id)) ??
    titles.get(id) ??
    (metricParts && composed(id, metricParts)) ??
    id;
}

/** The names of the parts of an id in a row. Undefined if the first part after the probe has no name. */
function composed(id: string, names: Readonly<Record<string, Words>>): Words | undefined {
  // The dot in a number such as rrf@0.7 separates nothing.
  const [, first, ...others] = id.split(/\.(?!\d)|(?<!@\d)\.(?=\d)/);
  const head = entryOf(names, first);
  return head && inARow([head, ...others.map((part) => entryOf(names, part) ?? part)], ', ');
}
