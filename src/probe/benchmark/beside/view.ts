/* How the metrics beside an accuracy are shown. */
import { say, type Words } from '../../../base/say';
import type { Better } from '../../../chart/chart';
import type { Card } from '../../../protocol/panel';
import type { Metric } from '../../metric';
import { shareCard, wholeMetric } from '../../view';

const titles = [
  { ending: '.blind', title: say('benchmark.besideTitle'), about: say('benchmark.besideMeaning') },
  { ending: '.beyondBlind', title: say('benchmark.beyondTitle'), about: say('benchmark.beyondMeaning') },
] as const;

/** The cards beside that of an accuracy. */
export function besideCards(metrics: readonly Metric[], id: string, group?: Words): Card[] {
  return titles.flatMap(({ ending, title, about }): Card[] => {
    const metric = wholeMetric(metrics, id + ending);
    if (metric === undefined) return [];
    const { chance } = metric;
    const more = { ...(group === undefined ? {} : { group }), ...(chance === undefined ? {} : { chance }) };
    return [shareCard(title, metric.id, about, more)];
  });
}

/** An evaluator is not better or worse for the accuracy of other models. */
export function betterBeside(id: string): Better | undefined {
  return /\.blind(\.gain\.p)?$/.test(id) ? undefined : 'higher';
}
