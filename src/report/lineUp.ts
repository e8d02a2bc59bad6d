import { basename } from 'node:path';
import { holm } from '../stats/holm';
import { leastDiscordant, leastImages } from '../stats/decisions/smallSample';
import { CaptiousError, untilCancelled } from '../base/errors';
import { english, say } from '../base/say';
import { metricKey, metricName, shownOption, shownPath } from './figures';
import { type PairedDifference, pairedDifferences, verdictLevel } from './paired';
import { type Report, requireSameAltered } from './report';
import type { LeftOutRows } from './rowChecks';
import { readRows } from './rows';
import { type Basis, basisOf, isInScoreUnits } from './scale';
import type { Metric } from '../probe/metric';

export interface LinedUp {
  probe: string;
  /** The evaluators' displayed names. The dataset or a number distinguishes equal names. */
  names: string[];
  datasets: string[];
  /**
   * What differs between the first report and each other report, except the evaluator. No difference is repeated.
   */
  differences: string[];
  metrics: {
    name: string;
    /** In the order of the reports; undefined where a report lacks the metric. */
    values: (Metric | undefined)[];
    /** Whether the values are in units of the score, and the evaluators have different scales. */
    ownUnits?: true;
  }[];
  /** Which metrics in units of the score are not compared, and why. Absent if all are compared. */
  notCompared?: string;
}

/** A metric's difference between two reports. `first` and `second` are the positions of the reports. */
export interface PairOfReports extends PairedDifference {
  first: number;
  second: number;
  /** The p value after Holm's correction over all shown pairs and metrics. */
  adjusted: number;
}

/** Reports of one probe in one table. Metrics have the first report's order, and metrics that it lacks follow. */
export function lineUpReports(reports: readonly Report[]): LinedUp {
  const [first, ...others] = reports;
  for (const other of others) {
    if (other.probe !== first.probe)
      throw new CaptiousError(
        'usage',
        say`The reports come from different probes: ${first.probe} and ${other.probe}.`,
        {
          remedy: say`Choose reports of the same probe.`,
        },
      );
  }
  for (const [at, report] of reports.entries())
    for (const other of reports.slice(at + 1)) requireSameAltered(report, other);
  const basis = basisOf(reports);
  const byKey = new Map<string, LinedUp['metrics'][number]>();
  for (const [i, report] of reports.entries()) {
    for (const metric of report.metrics) {
      const key = metricKey(metric);
      let line = byKey.get(key);
      if (line === undefined)
        byKey.set(
          key,
          (line = {
            name: metricName(metric),
            values: reports.map(() => undefined),
            ...(basis.kind !== 'raw' && isInScoreUnits(first.probe, metric.id) ? { ownUnits: true } : {}),
          }),
        );
      line.values[i] = metric;
    }
  }
  const differences = others.flatMap((other) => whatElseDiffers(first, other));
  return {
    probe: first.probe,
    names: namesOf(reports),
    datasets: reports.map(({ dataset }) => basename(dataset.path)),
    differences: [...new Set(differences)],
    metrics: [...byKey.values()],
    ...notComparedOf(basis, [...byKey.values()]),
  };
}

/** Says which metrics are not compared and why, if a report lacks its evaluator's spread. */
function notComparedOf(basis: Basis, metrics: LinedUp['metrics']): Pick<LinedUp, 'notCompared'> {
  const own = metrics.flatMap(({ name, ownUnits }) => (ownUnits === true ? [name] : []));
  if (basis.kind !== 'none' || own.length === 0) return {};
  const most = 5;
  const named = own.slice(0, most).join(', ');
  const names = own.length > most ? say`${named} and ${own.length - most} more` : named;
  return { notCompared: english(say`Not compared: ${names}. ${basis.why} ${basis.remedy}`) };
}

/** Makes equal names distinct with the dataset's name or, if necessary, a number. */
function namesOf(reports: readonly Report[]): string[] {
  const alone = (names: readonly string[], name: string): boolean =>
    names.indexOf(name) === names.lastIndexOf(name);
  const plain = reports.map(({ evaluator }) => evaluator.name);
  const placed = reports.map(({ evaluator, dataset }) =>
    alone(plain, evaluator.name) ? evaluator.name : `${evaluator.name}, ${basename(dataset.path)}`,
  );
  return placed.map((name, i) => (alone(placed, name) ? name : `${plain[i]} (report ${i + 1})`));
}

/** The verdict, such as "B is better", or the reason why it is missing. */
export function verdictWords(pair: PairOfReports, names: readonly string[]): string {
  if (pair.tooFew === 'images') return `too few images (${pair.images} of ${leastImages})`;
  if (pair.verdict !== 'undecided') return `${names[pair[pair.verdict]]} is better`;
  const { onlyFirst = 0, onlySecond = 0 } = pair.mcNemar ?? {};
  return pair.tooFew === 'discordant'
    ? `too few discordant pairs (${onlyFirst + onlySecond} of ${leastDiscordant})`
    : 'undecided';
}

function whatElseDiffers(a: Report, b: Report): string[] {
  const out: string[] = [];
  if (a.dataset.sha256 !== b.dataset.sha256)
    out.push(`the datasets: ${shownPath(a.dataset.path)} and ${shownPath(b.dataset.path)}`);
  if (a.dataset.examples !== b.dataset.examples) {
    out.push(`the number of examples: ${a.dataset.examples} and ${b.dataset.examples}`);
  }
  if (a.seed !== b.seed) out.push(`the seeds: ${a.seed} and ${b.seed}`);
  if (a.limit !== b.limit) out.push(`the limits: ${a.limit ?? 'none'} and ${b.limit ?? 'none'}`);
  for (const key of new Set([...Object.keys(a.options), ...Object.keys(b.options)])) {
    if (a.options[key] !== b.options[key])
      out.push(`option ${key}: ${shownOption(a.options[key])} and ${shownOption(b.options[key])}`);
  }
  for (const key of new Set([...Object.keys(a.versions), ...Object.keys(b.versions)])) {
    if (a.versions[key] !== b.versions[key]) {
      out.push(`the version of ${key}: ${a.versions[key] ?? 'none'} and ${b.versions[key] ?? 'none'}`);
    }
  }
  return out;
}

/**
 * Compares each pair of reports that have the same dataset file, row by row. Verdicts use p values corrected for
 * all tests. `leftOut` has one entry per report.
 */
export async function pairUpReports(
  reports: readonly Report[],
  paths: readonly string[],
  leftOut: readonly LeftOutRows[],
  { signal, anytime = false }: { signal?: AbortSignal; anytime?: boolean } = {},
): Promise<PairOfReports[]> {
  const found: Omit<PairOfReports, 'adjusted'>[] = [];
  for (const [first, a] of reports.entries()) {
    for (const [second, b] of reports.entries()) {
      if (second <= first || a.dataset.sha256 !== b.dataset.sha256) continue;
      const rowsOf = (at: number) => untilCancelled(readRows(paths[at], reports[at], leftOut[at]), signal);
      const basis = basisOf([a, b]);
      const options = { basis, anytime };
      const differences = await pairedDifferences(a.probe, rowsOf(first), rowsOf(second), options);
      for (const difference of differences) found.push({ ...difference, first, second });
    }
  }
  const adjusted = holm(found.map(({ pValue }) => pValue));
  return found.map((pair, i) => ({
    ...pair,
    adjusted: adjusted[i],
    verdict: adjusted[i] < verdictLevel ? pair.verdict : 'undecided',
  }));
}
