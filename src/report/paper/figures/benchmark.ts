/* Figures of checks of benchmarks, which have no evaluator: the charts of each file's metrics. */
import { say } from '../../../base/say';
import { benchmarkCharts } from '../../../probe/benchmark/charts';
import type { Entry } from '../entry';
import type { PlannedFigure } from './figures';

export function benchmarkFigures(entries: readonly Entry[]): PlannedFigure[] {
  return entries.flatMap(({ dataset, report }) =>
    benchmarkCharts(report.metrics).map((chart, i): PlannedFigure => {
      const title = say('probe.nameWithDetail', chart.title, dataset);
      return {
        name: `benchmark.${dataset}.${chart.id}`,
        kind: i === 0 ? 'main' : 'forest',
        draw: () => ({ chart: { type: 'panel', title, chart: { ...chart, title } }, titled: true }),
      };
    }),
  );
}
