import { inARow, say, type Words } from '../../base/say';
import type { Report } from '../../report/report';
import { figureOf as figureIn, headlineOf } from '../../probe/headline';
import { viewFor } from '../../probe/views';

type Measured = Pick<Report, 'probe' | 'metrics'>;
type Reported = Measured & { evaluator: Pick<Report['evaluator'], 'name'> };

/** The most important metric of a report as text; undefined if it has no value. */
export function figureOf({ probe, metrics }: Measured): Words | undefined {
  return figureIn(viewFor(probe), metrics);
}

/** The largest number of verdicts in the line; the others are only counted. */
const most = 3;

/** The verdict of a run in one line. By default, slices are included only if the run has a single report. */
export function verdictOf(reports: readonly Reported[], slices = reports.length === 1): Words | undefined {
  const found = reports.flatMap(({ probe, metrics, evaluator }) => {
    const words = headlineOf(viewFor(probe), evaluator.name, metrics, { slices });
    return words === undefined ? [] : [words];
  });
  if (found.length === 0) return undefined;
  const further = found.length - most;
  return inARow([...found.slice(0, most), ...(further > 0 ? [say`${further} more`] : [])]);
}

/** The verdict of each probe that has one, without slices, so that several fit above a file. */
export function verdictsOf(reports: readonly Reported[]): { probe: string; words: Words }[] {
  return [...new Set(reports.map(({ probe }) => probe))].flatMap((probe) => {
    const own = reports.filter((report) => report.probe === probe);
    const words = verdictOf(own, false);
    return words === undefined ? [] : [{ probe, words }];
  });
}

/** Whether a run measured anything. If all examples were left out, it did not. */
export function hasMeasured(reports: readonly Measured[]): boolean {
  return reports.some(({ metrics }) => metrics.some(({ value, n }) => value !== null && n > 0));
}
