import { inARow, say, type Words } from '../../base/say';
import { shortNames } from '../../base/text/shortNames';
import type { Report } from '../../report/report';
import { figureOf as figureIn, headlineOf } from '../../probe/headline';
import { viewFor } from '../../probe/views';
import type { RunRecord } from '../runs/runRecord';

type Measured = Pick<Report, 'probe' | 'metrics' | 'claims'>;
type Reported = Measured & { evaluator: Pick<Report['evaluator'], 'name'> };

/** A report's main metric as text, or that the report has no verdict; undefined if the metric has no value. */
export function figureOf(report: Measured): Words | undefined {
  return figureIn(viewFor(report.probe), report);
}

/** The most verdicts on one line. Further verdicts are only counted. */
const most = 3;
/** The most verdicts of a probe beside those of other probes, because several lenses share the width of the editor. */
export const mostOfSeveral = 1;

/** The first verdicts, and how many others there are. */
export function firstOf(verdicts: readonly Words[], shown: number): Words {
  const further = verdicts.length - shown;
  return inARow([...verdicts.slice(0, shown), ...(further > 0 ? [say('editor.further', further)] : [])]);
}

/** The verdicts of a run's reports on one line. By default, slices are included only if there is a single report. */
export function verdictOf(
  reports: readonly Reported[],
  slices = reports.length === 1,
  shown = most,
): Words | undefined {
  const names = shortNames(reports.map(({ evaluator }) => evaluator.name));
  const found = reports.flatMap((report, i) => {
    const words = headlineOf(viewFor(report.probe), names[i], report, { slices });
    return words === undefined ? [] : [words];
  });
  return found.length === 0 ? undefined : firstOf(found, shown);
}

/** The verdict of each probe, without slices, because several verdicts must fit above a file. */
export function verdictsOf(reports: readonly Reported[]): { probe: string; words: Words }[] {
  return [...new Set(reports.map(({ probe }) => probe))].flatMap((probe) => {
    const own = reports.filter((report) => report.probe === probe);
    const words = verdictOf(own, false, mostOfSeveral);
    return words === undefined ? [] : [{ probe, words }];
  });
}

/** Whether at least one metric of the reports has a value. */
export function hasMeasured(reports: readonly Pick<Measured, 'metrics'>[]): boolean {
  return reports.some(({ metrics }) => metrics.some(({ value, n }) => value !== null && n > 0));
}

type Summary = Pick<RunRecord, 'names' | 'sentences' | 'figure' | 'sentence' | 'measured'>;

/** What the record of a run keeps of its reports. `write` puts words into the editor's language. */
export function summaryOf(reports: readonly Reported[], write: (words: Words) => string): Summary {
  const sentence = verdictOf(reports);
  const figure = (reports.length === 1 ? figureOf(reports[0]) : undefined) ?? sentence;
  return {
    names: [...new Set(reports.map(({ evaluator }) => evaluator.name))],
    sentences: Object.fromEntries(verdictsOf(reports).map(({ probe, words }) => [probe, write(words)])),
    figure: figure && write(figure),
    sentence: sentence && write(sentence),
    measured: hasMeasured(reports),
  };
}
