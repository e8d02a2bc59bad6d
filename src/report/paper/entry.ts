/* Reads the reports of a paper and names their evaluators and datasets. */
import { CaptiousError, untilCancelled } from '../../base/errors';
import { say } from '../../base/say';
import { type RowShares, sharesByRow } from '../shares';
import { readReport, type Report } from '../report';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';

export interface Entry {
  path: string;
  report: Report;
  /** Different evaluators have different names, and so do different datasets. */
  evaluator: string;
  dataset: string;
  /** What each row contributes to the metrics, read on first use. */
  shares(): Promise<RowShares>;
}

/** Reads reports in the given order and makes their names distinct. */
export async function readEntries(paths: readonly string[], signal?: AbortSignal): Promise<Entry[]> {
  const reports = await Promise.all(paths.map(readReport));
  const evaluators = uniqueNames(
    reports.map(({ evaluator: { name, sha256, id } }) => [name, `${id} ${sha256}`]),
  );
  const datasets = uniqueNames(reports.map(({ dataset: { path, sha256 } }) => [datasetName(path), sha256]));
  const seen = new Map<string, string>();
  return reports.map((report, i) => {
    const path = paths[i];
    const key = JSON.stringify([report.probe, evaluators[i], datasets[i]]);
    const other = seen.get(key);
    if (other !== undefined)
      throw new CaptiousError(
        'usage',
        say`Two reports are of the same probe, evaluator and dataset: ${other} and ${path}.`,
        { remedy: say`Choose one of the two reports.` },
      );
    seen.set(key, path);
    let shares: Promise<RowShares> | undefined;
    return {
      path,
      report,
      evaluator: evaluators[i],
      dataset: datasets[i],
      shares: () =>
        (shares ??= sharesByRow(
          report.probe,
          untilCancelled(readRows(path, report, new LeftOutRows()), signal),
        )),
    };
  });
}

/** A dataset's file name without folders and extension, because exports must not contain paths. */
export function datasetName(path: string): string {
  const file = path.split(/[/\\]/).at(-1)!;
  return file.replace(/(?<=.)\.[a-z0-9]+$/i, '');
}

/** Makes names distinct: if several keys have one name, the second and later keys get a number. */
function uniqueNames(named: readonly (readonly [name: string, key: string])[]): string[] {
  const keys = new Map<string, string[]>();
  return named.map(([name, key]) => {
    const of = keys.get(name) ?? [];
    if (!of.includes(key)) of.push(key);
    keys.set(name, of);
    const at = of.indexOf(key);
    return at === 0 ? name : `${name} (${at + 1})`;
  });
}

/** Distinct values in the order of the entries. */
export function inOrder(entries: readonly Entry[], of: (entry: Entry) => string): string[] {
  return [...new Set(entries.map(of))];
}
