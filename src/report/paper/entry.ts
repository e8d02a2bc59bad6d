/* Reads the reports of a paper and names their evaluators and datasets. */
import { inputError, untilCancelled, usageError } from '../../base/errors';
import { distinctPaths } from '../../base/text/distinctPaths';
import { commonCluster, observations } from '../../base/text/observations';
import { english } from '../../base/english';
import { say } from '../../base/say';
import { inTurns, type Steps } from '../../base/turns/steps';
import type { Facts } from './facts';
import { type RowShares, sharesByRow } from '../shares';
import { importedView } from '../../probe/imported/view';
import { readReport, type Report } from '../report';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';

export interface Entry {
  path: string;
  report: Report;
  /** Different evaluators have different names, and so do different datasets. */
  evaluator: string;
  dataset: string;
  /** Facts about the evaluator that the user gave. */
  facts?: Facts;
  /** Runs a computation that ends early if the paper is cancelled. */
  inTurns<T>(steps: Steps<T>): Promise<T>;
  /** What each row contributes to the metrics, read on first use. */
  shares(): Promise<RowShares>;
}

/** The column of the clusters of these reports; undefined if each image is one observation. */
export function clusterOfAll(entries: readonly Entry[]): string | undefined {
  return commonCluster(entries.map(({ report }) => report.dataset.cluster));
}

/** What one observation of these reports is, in the plural. */
export function unitsOf(entries: readonly Entry[]): string {
  return english(observations(clusterOfAll(entries)));
}

/** Reads reports in the given order and makes their names distinct. */
export async function readEntries(
  paths: readonly string[],
  signal?: AbortSignal,
  labels: ReadonlyMap<number, string> = new Map(),
  facts: ReadonlyMap<string, Facts> = new Map(),
): Promise<Entry[]> {
  const reports = await Promise.all(paths.map(readReport));
  const evaluators = uniqueNames(
    labelled(reports, labels).map(({ name, sha256, id, path }) => [name, `${id} ${sha256}`, path]),
  );
  const datasets = datasetNames(reports);
  const unknown = [...facts.keys()].find((name) => !evaluators.includes(name));
  if (unknown !== undefined)
    throw inputError(
      say('paper.factsOfUnknownEvaluator', unknown),
      say('paper.useTableNames', [...new Set(evaluators)].join(', ')),
    );
  const seen = new Map<string, string>();
  return reports.map((report, i) => {
    const path = paths[i];
    const key = JSON.stringify([report.probe, evaluators[i], datasets[i]]);
    const other = seen.get(key);
    if (other !== undefined)
      throw usageError(say('paper.sameReportTwice', other, path), say('paper.chooseOneReport'));
    seen.set(key, path);
    let shares: Promise<RowShares> | undefined;
    return {
      path,
      report,
      evaluator: evaluators[i],
      facts: facts.get(evaluators[i]),
      dataset: datasets[i],
      inTurns: (steps) => inTurns(steps, signal),
      shares: () =>
        (shares ??= sharesByRow(
          report.probe,
          untilCancelled(readRows(path, report, new LeftOutRows()), signal),
        )),
    };
  });
}

/** The file of an imported report is the log of one model, so its dataset has the name of the task. */
export function datasetOf({ probe, options: { task }, dataset: { path } }: Report): string {
  return probe === importedView.id && typeof task === 'string' ? task : datasetName(path);
}

/** A dataset's file name without folders and extension, because exports must not contain paths. */
export function datasetName(path: string): string {
  const file = path.split(/[/\\]/).at(-1)!;
  return file.replace(/(?<=.)\.[a-z0-9]+$/i, '');
}

/** Datasets of one name have their file names or the folders of these, or else numbers. */
function datasetNames(reports: readonly Report[]): string[] {
  const files = reports.map((report) => ({ name: datasetOf(report), ...report.dataset }));
  const plain = uniqueNames(files.map(({ name, sha256 }) => [name, sha256]));
  return files.map(({ name, sha256, path }, i) => {
    const others = files.filter((other) => other.name === name && other.sha256 !== sha256);
    const [end] = distinctPaths([path, ...others.map((other) => other.path)]);
    // More than one folder would say where the author keeps the files.
    const isShort = end !== undefined && end.split('/').length <= 2 && datasetName(path) === name;
    return others.length > 0 && isShort ? end : plain[i];
  });
}

/** The evaluators with their labels. A label applies to all reports of its evaluator. */
function labelled(reports: readonly Report[], labels: ReadonlyMap<number, string>): Report['evaluator'][] {
  const keyOf = ({ evaluator: { id, sha256 } }: Report): string => `${id} ${sha256}`;
  const names = new Map(Array.from(labels, ([i, name]) => [keyOf(reports[i]), name]));
  return reports.map((report) => ({
    ...report.evaluator,
    name: names.get(keyOf(report)) ?? report.evaluator.name,
  }));
}

/**
 * Makes names distinct: if several keys have one name, they get the shortest different end of their paths or, without
 * paths, the second and later keys get a number.
 */
function uniqueNames(named: readonly (readonly [name: string, key: string, path?: string])[]): string[] {
  const all = new Map(named.map((one) => [`${one[0]} ${one[1]}`, one]));
  return named.map(([name, key]) => {
    const same = [...all.values()].filter(([other]) => other === name);
    const at = same.findIndex(([, other]) => other === key);
    const paths = distinctPaths(same.map(([, , path]) => path));
    if (same.length === 1) return name;
    const path = paths.every((one) => one !== undefined) ? paths[at] : undefined;
    if (path !== undefined) return path.split('/').at(-1) === name ? path : `${name} (${path})`;
    return at === 0 ? name : `${name} (${at + 1})`;
  });
}

/** Distinct values in the order of the entries. */
export function inOrder(entries: readonly Entry[], of: (entry: Entry) => string): string[] {
  return [...new Set(entries.map(of))];
}
