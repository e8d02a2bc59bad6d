import { valueIn } from '../../base/lists';
import { say } from '../../base/say';
import { eachOf, type Steps } from '../../base/turns/steps';
import { Clusters, Figure } from '../figure';
import { clusterOf, type Metric } from '../metric';
import type { ProbeBase } from '../probe';
import type { ImportedRow } from './row';
import { importedView } from './view';

/** As a probe, it says what the reports of imported logs mean. No audit has it, because others scored. */
export const imported: ProbeBase<ImportedRow> = {
  ...importedView,
  options: [],
  needs: () => [],
  refuse: () => say('imported.notAudited'),
  claims: () => [],
  faults: () => [],
  shares: ({ scores, better = {} }) =>
    Object.entries(scores).map(([name, value]) => ({
      metric: metricId(name),
      value,
      better: better[name],
    })),
};

export function metricId(score: string): string {
  return `imported.${score}`;
}

/** The mean of each score with its interval over clusters. Scores of only 0 and 1 are shares. */
export function* importedMetrics(rows: readonly ImportedRow[]): Steps<Metric[]> {
  const clusters = new Clusters();
  const figures = new Map<string, { figure: Figure; isShare: boolean }>();
  for (const row of rows) {
    const cluster = clusters.of(clusterOf(row));
    for (const [name, value] of Object.entries(row.scores)) {
      const of = valueIn(figures, name, () => ({ figure: new Figure(), isShare: true }));
      of.figure.add(value, cluster);
      if (value !== 0 && value !== 1) of.isShare = false;
    }
  }
  return yield* eachOf(figures, ([name, { figure, isShare }]) =>
    figure.metric(metricId(name), { share: isShare }),
  );
}
