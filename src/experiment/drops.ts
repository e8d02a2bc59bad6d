/* Thresholds that speak of a series: how much worse a checkpoint is than the best one before it. */
import { usageError } from '../base/errors';
import { say } from '../base/say';
import type { Gate } from '../report/gate';
import type { Report } from '../report/report';
import { dropsOf } from '../report/trend/drops';
import { type Reading, readTrend } from '../report/trend/read';
import type { Plan } from './plan';

const ending = '.drop';

/** A report of a cell. */
export interface CellReport {
  /** The reference of the evaluator. */
  evaluator: string;
  path: string;
  report: Report;
}

/** The metrics whose drop the condition names. A report may have a metric with this ending of its own. */
export function droppedIn(gate: Gate, reports: readonly Report[]): string[] {
  const own = new Set(reports.flatMap(({ metrics }) => metrics.map(({ id }) => id)));
  return [...gate.metrics]
    .filter((id) => id.endsWith(ending) && !own.has(id))
    .map((id) => id.slice(0, -ending.length))
    .filter((metric) => own.has(metric));
}

/** The ids of the checkpoints for which the condition is true. Other evaluators have no drop. */
export async function brokenSteps(
  gate: Gate,
  metrics: readonly string[],
  { file, series }: Pick<Plan, 'file' | 'series'>,
  cells: readonly CellReport[],
  reading: Omit<Reading, 'metric'>,
): Promise<string[]> {
  if (series.length === 0)
    throw usageError(say('experiment.dropWithoutSeries', gate.text), say('experiment.nameCheckpoints'), file);
  const broken: string[] = [];
  for (const checkpoints of series) {
    const drops = new Map(checkpoints.map(({ ref }) => [ref, new Map<string, number>()]));
    for (const metric of metrics) {
      const steps = checkpoints.flatMap(({ ref, step }) =>
        cells.flatMap((cell) =>
          cell.evaluator === ref && cell.report.metrics.some(({ id }) => id === metric)
            ? { ...cell, step }
            : [],
        ),
      );
      if (steps.length === 0) continue;
      const found = dropsOf(await readTrend(steps, { metric, ...reading }));
      for (const [i, { evaluator }] of steps.entries())
        drops.get(evaluator)!.set(`${metric}${ending}`, found[i]);
    }
    for (const [ref, own] of drops) {
      const reports = cells.flatMap(({ evaluator, report }) => (evaluator === ref ? report : []));
      if (reports.length > 0 && gate.holds(reports, (id) => own.get(id)))
        broken.push(reports[0].evaluator.id);
    }
  }
  return broken;
}
