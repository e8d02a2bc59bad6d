import type { InvarianceRow } from '../probe/invariance/row';
import type { Metric } from '../probe/metric';
import { idOf } from './sample';

/** The rows without the variants in `ids`. */
export function rowsWithout(rows: readonly InvarianceRow[], ids: ReadonlySet<string>): InvarianceRow[] {
  return rows.map((row) => ({
    ...row,
    variants: row.variants.filter((variant) => !ids.has(idOf(row, variant))),
  }));
}

export interface Turn {
  id: string;
  before: number;
  after: number;
}

export interface Stability {
  medians: Turn[];
  /** The unit of the medians: `score` if percentages of these scores are not meaningful, otherwise `percent`. */
  unit: 'percent' | 'score';
  /** The largest change of a median; null without medians. */
  largest: Turn | null;
  /** The ids of medians whose sign has changed. */
  turned: string[];
  /** Tests whose p value crossed 0.05. */
  crossed: Turn[];
}

/** Compares medians, their signs and test results before and after variants were excluded. */
export function stabilityOf(before: readonly Metric[], after: readonly Metric[]): Stability {
  const pairs = (ending: string): Turn[] =>
    before.flatMap(({ id, slice, value }) => {
      const now = after.find((metric) => metric.id === id && metric.slice === undefined);
      const counts = slice === undefined && id.endsWith(ending) && !id.startsWith('invariance.object.');
      if (!counts || value === null || now === undefined || now.value === null) return [];
      return [{ id, before: value, after: now.value }];
    });
  const isMoot = [...before, ...after].some(({ moot }) => moot === true);
  const medians = pairs(isMoot ? '.delta' : '.median');
  const by = ({ before: was, after: now }: Turn): number => Math.abs(now - was);
  return {
    medians,
    unit: isMoot ? 'score' : 'percent',
    largest: medians.length === 0 ? null : medians.reduce((a, b) => (by(b) > by(a) ? b : a)),
    turned: medians.filter((turn) => Math.sign(turn.before) !== Math.sign(turn.after)).map(({ id }) => id),
    crossed: pairs('.p').filter((turn) => turn.before < 0.05 !== turn.after < 0.05),
  };
}
