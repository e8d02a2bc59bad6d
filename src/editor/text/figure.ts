import { inARow, say, type Words } from '../../base/say';
import { shortNames } from '../../base/text/shortNames';
import type { Report } from '../../report/report';
import { figureOf as figureIn, headlineOf } from '../../probe/headline';
import { viewFor } from '../../probe/views';

type Measured = Pick<Report, 'probe' | 'metrics'>;
type Reported = Measured & { evaluator: Pick<Report['evaluator'], 'name'> };

/** A report's most important metric as text; undefined without a value. */
export function figureOf({ probe, metrics }: Measured): Words | undefined {
  return figureIn(viewFor(probe), metrics);
}

/** The most verdicts on the line. Others are only counted. */
const most = 3;

/** A run's verdict on one line. By default, only a single report's verdict includes slices. */
export function verdictOf(reports: readonly Reported[], slices = reports.length === 1): Words | undefined {
  const names = shortNames(reports.map(({ evaluator }) => evaluator.name));
  const found = reports.flatMap(({ probe, metrics }, i) => {
    const words = headlineOf(viewFor(probe), names[i], metrics, { slices });
    return words === undefined ? [] : [words];
  });
  if (found.length === 0) return undefined;
  const further = found.length - most;
  return inARow([...found.slice(0, most), ...(further > 0 ? [say`${further} more`] : [])]);
}

/** Each probe's verdict without slices, because several must fit above a file. */
export function verdictsOf(reports: readonly Reported[]): { probe: string; words: Words }[] {
  return [...new Set(reports.map(({ probe }) => probe))].flatMap((probe) => {
    const own = reports.filter((report) => report.probe === probe);
    const words = verdictOf(own, false);
    return words === undefined ? [] : [{ probe, words }];
  });
}

/** Whether a run measured anything, and did not skip all examples. */
export function hasMeasured(reports: readonly Measured[]): boolean {
  return reports.some(({ metrics }) => metrics.some(({ value, n }) => value !== null && n > 0));
}
