import type { PanelMetric } from '../../../src/protocol/panel';
import { say } from '../../../src/base/say';
import type { Chart, MetricKey } from '../../../src/protocol/parts/chart';

/** Gives share charts the values and intervals of the report's metrics, so that charts and cards agree. */
export function withIntervals(charts: readonly Chart[], metrics: readonly PanelMetric[]): Chart[] {
  return charts.map((chart) =>
    chart.type === 'shares'
      ? { ...chart, values: chart.values.map((own) => ({ ...own, ...measured(own.metrics, metrics) })) }
      : chart,
  );
}

function measured(
  keys: readonly MetricKey[],
  metrics: readonly PanelMetric[],
): { share: number; n: number; interval?: [number, number] } | undefined {
  for (const { id, slice = {} } of keys) {
    const found = metrics.find((metric) => metric.id === id && sameSlice(metric.slice ?? {}, slice));
    if (found?.value != null) return { share: found.value, n: found.n, interval: found.ci };
  }
  return undefined;
}

function sameSlice(own: Readonly<Record<string, unknown>>, slice: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(slice);
  return names.length === Object.keys(own).length && names.every((name) => own[name] === slice[name]);
}

/** Names both evaluators in the titles of charts that compare two evaluators. */
export function withNames(charts: readonly Chart[], [own, other = '']: readonly string[]): Chart[] {
  return charts.map((chart) =>
    chart.type === 'versus'
      ? {
          ...chart,
          title: say('panel.valueAgainstOther', own, other),
          x: { title: say('base.labelledPart', own, chart.x.title) },
          y: { title: say('base.labelledPart', other, chart.y.title) },
        }
      : chart,
  );
}

/** Names the evaluator in the titles of charts of its rows alone, if it is one of several. */
export function ofEvaluator(charts: readonly Chart[], evaluator: string): Chart[] {
  return charts.map((chart) =>
    chart.type === 'versus' ? chart : { ...chart, title: say('base.labelledPart', evaluator, chart.title) },
  );
}
