/* The parts of an experiment that run as separate jobs. */
import type { Shard } from '../audit/shard/shard';
import { probeNamed } from '../probe/list';
import type { Plan, Group } from './plan';
import type { CaptiousError } from '../base/errors';

/** `waiting`: not yet run, or, without running anything, what would run. */
export type CellState = 'waiting' | 'done' | 'unchanged' | 'failed';

export interface Cell {
  group: Group;
  probe: string;
  evaluator: string;
  state: CellState;
  /** The path of the report. */
  report?: string;
  /** Why the cell failed. */
  error?: CaptiousError;
}

export type Part = Shard;

/**
 * The cells that one job runs: those of one evaluator on one dataset, whose probes share encodings. If a probe searches
 * galleries, whose evaluators choose the changed words together, one job runs all evaluators of the dataset.
 */
export function unitsOf(plan: Pick<Plan, 'groups'>, cells: readonly Cell[]): Cell[][] {
  return plan.groups.flatMap((group) => {
    const own = cells.filter((cell) => cell.group === group);
    if (group.probes.some((id) => probeNamed(id).mode === 'gallery')) return [own];
    const evaluators = [...new Set(own.map(({ evaluator }) => evaluator))];
    return evaluators.map((evaluator) => own.filter((cell) => cell.evaluator === evaluator));
  });
}

export function cellsOfPart(units: readonly Cell[][], { index, count }: Part): Cell[] {
  return units.filter((_, i) => i % count === index - 1).flat();
}
