/* Which reports of several evaluators can be compared, and why others are not. */
import type { Words } from '../../src/base/say';
import type { ReportView } from '../../src/protocol/panel';

/** The other reports about the dataset file of the report `own`. Reports about other files have other captions. */
export function comparable(reports: readonly ReportView[], own: string): ReportView[] {
  const file = fileOf(reports.find(({ key }) => key === own));
  return reports.filter((report) => report.key !== own && fileOf(report) === file);
}

/** Those with the most main metrics first: a text encoder, for example, has no results with images. */
export function mostScored(reports: readonly ReportView[]): ReportView[] {
  const scored = ({ cards, metrics }: ReportView) =>
    cards.filter((card) => metrics.some(({ id, value }) => id === card.metric && value !== null)).length;
  return [...reports].sort((a, b) => scored(b) - scored(a));
}

/** The evaluators that are not compared with the report `own`: those about other files, and those without common results. */
export function notCompared(
  reports: readonly ReportView[],
  own: string,
  mates: readonly string[],
): { ofOtherFiles: string[]; withoutResults: string[] } {
  const file = fileOf(reports.find(({ key }) => key === own));
  const alone = reports.filter(({ key }) => key !== own && !mates.includes(key));
  const names = (isSame: boolean): string[] =>
    alone.flatMap((report) => ((fileOf(report) === file) === isSame ? [report.evaluator] : []));
  return { ofOtherFiles: names(false), withoutResults: names(true) };
}

/** Whether each report is about another dataset file, or another version of it. */
export function areOfOtherFiles(reports: readonly ReportView[]): boolean {
  return new Set(reports.map(fileOf)).size === reports.length;
}

/** The content of a report's dataset file, by its hash. */
function fileOf(report: ReportView | undefined): Words | undefined {
  return report?.made.find(([what]) => what === 'dataset SHA-256')?.[1];
}
