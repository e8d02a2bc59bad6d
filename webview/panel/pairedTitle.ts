import { say, type Words } from '../../src/base/say';
import type { ReportView } from '../../src/protocol/panel';
import { pairedId } from '../../src/protocol/parts/pairedId';
import { baseId } from '../../src/protocol/parts/spreads';

/** The name of a metric in comparisons of rows: of its card, or else of the metric in a report. */
export function pairedTitle(
  reports: readonly {
    cards: readonly Pick<ReportView['cards'][number], 'metric' | 'title'>[];
    metrics: readonly Pick<ReportView['metrics'][number], 'id' | 'name' | 'slice'>[];
  }[],
  id: string,
): Words {
  const base = baseId(id);
  const cards = reports.flatMap((report) => report.cards);
  const card = cards.find(({ metric }) => pairedId(metric) === base);
  const whole = reports.flatMap(({ metrics }) => metrics).filter(({ slice }) => slice === undefined);
  const name = card?.title ?? whole.find((metric) => pairedId(metric.id) === base)?.name ?? base;
  return base === id ? name : say('probe.metricInSpreads', name);
}
