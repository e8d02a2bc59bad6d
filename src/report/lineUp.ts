import { basename } from 'node:path';
import { holm } from '../stats/holm';
import { leastDiscordant, leastExpected, leastImages } from '../stats/decisions/smallSample';
import { untilCancelled, usageError } from '../base/errors';
import { commonCluster, observations } from '../base/text/observations';
import { english } from '../base/english';
import { type Said, say } from '../base/say';
import { chooseFrom } from '../base/text/nearest';
import { distinctPaths } from '../base/text/distinctPaths';
import { groundlessIn } from '../probe/ground';
import { readInPart } from '../probe/inference/withheld';
import { viewFor } from '../probe/views';
import { metricKey, metricName, shownOption, shownPath } from './figures';
import { type PairedDifference, pairedDifferences, verdictLevel } from './paired';
import type { Report } from './report';
import type { LeftOutRows } from './rowChecks';
import { readRows } from './rows';
import { type Basis, basisOf, haveSameImages, isInScoreUnits, requireComparable } from './scale';
import type { Metric } from '../probe/metric';
import { baseId, isRelative } from '../protocol/parts/spreads';

export interface LinedUp {
  probe: string;
  /** The evaluators' displayed names. The dataset or a number distinguishes equal names. */
  names: string[];
  datasets: string[];
  /** The column whose values count as one observation each. Absent if each image is one observation. */
  cluster?: string;
  /** How each other report differs from the first, except by its evaluator. Nothing is repeated. */
  differences: Said[];
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
  /** The metrics that are tested together, by the probe's declaration or as the user's primary outcomes. */
  family: string;
  /** The p value after Holm's correction over the family's metrics, for all pairs of reports. */
  adjusted: number;
  /** The reports whose value says nothing, because the evaluator is at chance level. There is no verdict then. */
  groundless?: number[];
  /** The reports whose evaluator read too many texts only in part. There is no verdict then, as on each alone. */
  partlyRead?: number[];
}

/** Reports of one probe in one table. Metrics have the first report's order, and metrics that it lacks follow. */
export function lineUpReports(reports: readonly Report[], naming: Naming = {}): LinedUp {
  const [first, ...others] = reports;
  for (const other of others) {
    if (other.probe !== first.probe)
      throw usageError(say('report.probesDiffer', first.probe, other.probe), say('report.chooseSameProbe'));
  }
  requireComparable(...reports);
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
            ...(isInOwnUnits(first.probe, metric.id, basis) ? { ownUnits: true } : {}),
          }),
        );
      line.values[i] = metric;
    }
  }
  const differences = others.flatMap((other) => whatElseDiffers(first, other));
  const cluster = commonCluster(reports.map(({ dataset }) => dataset.cluster));
  return {
    probe: first.probe,
    names: namesOf(reports, naming),
    datasets: reports.map(({ dataset }) => basename(dataset.path)),
    ...(cluster === undefined ? {} : { cluster }),
    differences: [...new Map(differences.map((one) => [JSON.stringify(one), one])).values()],
    metrics: [...byKey.values()],
    ...notComparedOf(basis, [...byKey.values()]),
  };
}

/** Whether the values of a line have no difference, because each evaluator has other units. */
function isInOwnUnits(probe: string, metric: string, { kind }: Basis): boolean {
  return kind !== 'raw' && isInScoreUnits(probe, metric) && !(kind === 'relative' && isRelative(metric));
}

/** Says which metrics are not compared and why, if a report lacks its evaluator's spread. */
function notComparedOf(basis: Basis, metrics: LinedUp['metrics']): Pick<LinedUp, 'notCompared'> {
  const own = metrics.flatMap(({ name, ownUnits }) => (ownUnits === true ? [name] : []));
  if (basis.kind !== 'none' || own.length === 0) return {};
  const most = 5;
  const named = own.slice(0, most).join(', ');
  const names = own.length > most ? say('report.furtherNames', named, own.length - most) : named;
  return { notCompared: english(say('report.notCompared', names, basis.why, basis.remedy)) };
}

/** How to name reports. Labels are by the position of the report. */
export interface Naming {
  labels?: ReadonlyMap<number, string>;
  /** The paths of the reports. */
  paths?: readonly string[];
}

/**
 * Makes equal names distinct: by a label, the dataset, the shortest different end of the evaluators' or the reports' paths,
 * or a number, in this order.
 */
function namesOf(reports: readonly Report[], { labels, paths = [] }: Naming): string[] {
  const plain = reports.map(({ evaluator }, i) => labels?.get(i) ?? evaluator.name);
  const ways = [
    reports.map(({ dataset }, i) => `${plain[i]}, ${basename(dataset.path)}`),
    placed(plain, distinctPaths(reports.map(({ evaluator }) => evaluator.path))),
    placed(plain, distinctPaths(reports.map((_, i) => paths.at(i)))),
    plain.map((name, i) => `${name} (report ${i + 1})`),
  ];
  return plain.map((name, i) => {
    const same = plain.flatMap((other, j) => (other === name ? [j] : []));
    if (same.length === 1) return name;
    const way = ways.find((names) => new Set(same.map((j) => names[j])).size === same.length);
    return way?.[i] ?? name;
  });
}

function placed(names: readonly string[], paths: readonly (string | undefined)[]): string[] {
  return names.map((name, i) => {
    const path = paths[i];
    if (path === undefined) return name;
    return path.split('/').at(-1) === name ? path : `${name} (${path})`;
  });
}

/** A sentence on the second test of words whose images share captions; empty if no pair of reports has one. */
export function captionsWords(pairs: readonly PairOfReports[]): string {
  return pairs.some(({ texts }) => texts !== undefined) ? ` ${english(say('report.alsoByCaption'))}` : '';
}

/** The verdict, such as "B is better", or the reason why it is missing. */
export function verdictWords(
  pair: PairOfReports,
  names: readonly string[],
  cluster: string | undefined,
): string {
  if (pair.tooFew === 'images')
    return english(say('report.tooFewOf', observations(cluster), pair.images, leastImages));
  if (pair.tooFew === 'texts')
    return english(say('report.tooFewOf', say('report.distinctCaptions'), pair.texts ?? 0, leastImages));
  if (pair.groundless !== undefined)
    return `${pair.groundless.map((at) => names[at]).join(' and ')} at chance level, so the metric says nothing`;
  if (pair.partlyRead !== undefined)
    return english(say('report.readInPart', pair.partlyRead.map((at) => names[at]).join(' and ')));
  if (pair.better === undefined) return english(say('report.directionUnknown'));
  if (pair.verdict !== 'undecided') return `${names[pair[pair.verdict]]} is better`;
  if (pair.tooFew === 'drops')
    return `too few searches with or without a drop (fewer than ${leastExpected} expected)`;
  const { onlyFirst = 0, onlySecond = 0, captions } = pair.mcNemar ?? {};
  return pair.tooFew === 'discordant'
    ? `too few discordant pairs (${captions ?? onlyFirst + onlySecond} of ${leastDiscordant})`
    : 'undecided';
}

function whatElseDiffers(a: Report, b: Report): Said[] {
  const out: Said[] = [];
  const none = say('visla.none');
  if (a.dataset.sha256 !== b.dataset.sha256)
    out.push(say('report.differDatasets', shownPath(a.dataset.path), shownPath(b.dataset.path)));
  if (a.dataset.examples !== b.dataset.examples)
    out.push(say('report.differExamples', a.dataset.examples, b.dataset.examples));
  if (a.dataset.sha256 === b.dataset.sha256 && haveSameImages(a, b) === 'otherNames')
    out.push(say('report.differImages', ...[a, b].map(({ dataset }) => String(dataset.images?.count))));
  if (a.seed !== b.seed) out.push(say('report.differSeeds', a.seed, b.seed));
  const { draws = 1 } = a;
  if (draws !== (b.draws ?? 1)) out.push(say('report.differDraws', draws, b.draws ?? 1));
  if (a.limit !== b.limit) out.push(say('report.differLimits', a.limit ?? none, b.limit ?? none));
  for (const key of new Set([...Object.keys(a.options), ...Object.keys(b.options)])) {
    if (a.options[key] !== b.options[key])
      out.push(say('report.differOption', key, shownOption(a.options[key]), shownOption(b.options[key])));
  }
  for (const key of new Set([...Object.keys(a.versions), ...Object.keys(b.versions)])) {
    if (a.versions[key] !== b.versions[key])
      out.push(say('report.differVersion', key, a.versions[key] ?? none, b.versions[key] ?? none));
  }
  return out;
}

export interface PairingOptions {
  signal?: AbortSignal;
  anytime?: boolean;
  /** The metrics that were chosen before looking at the results. Their tests are a family of their own. */
  primary?: readonly string[];
}

/**
 * Compares each pair of reports that have the same dataset file, row by row. Verdicts use p values corrected for
 * the tests of a family. `leftOut` has one entry per report.
 */
export async function pairUpReports(
  reports: readonly Report[],
  paths: readonly string[],
  leftOut: readonly LeftOutRows[],
  { signal, anytime = false, primary = [] }: PairingOptions = {},
): Promise<PairOfReports[]> {
  const found: Omit<PairOfReports, 'adjusted'>[] = [];
  const familyOf = familiesOf(reports[0].probe, primary);
  for (const [first, a] of reports.entries()) {
    for (const [second, b] of reports.entries()) {
      if (second <= first || a.dataset.sha256 !== b.dataset.sha256) continue;
      requireComparable(a, b);
      const rowsOf = (at: number) => untilCancelled(readRows(paths[at], reports[at], leftOut[at]), signal);
      const basis = basisOf([a, b]);
      const options = { basis, anytime, signal };
      const partlyRead = [first, second].filter((at) => readInPart(reports[at].claims));
      const differences = await pairedDifferences(a.probe, rowsOf(first), rowsOf(second), options);
      for (const difference of differences) {
        const { metric } = difference;
        const groundless = groundlessIn(viewFor(a.probe), [a, b], metric).map((at) => [first, second][at]);
        found.push({
          ...{ ...difference, first, second, family: familyOf(metric) },
          ...(groundless.length > 0 && { groundless }),
          ...(partlyRead.length > 0 && { partlyRead }),
        });
      }
    }
  }
  requireTested('metric', primary, found);
  const adjusted = adjustedByFamily(found);
  return found.map((pair, i) => {
    const saysSomething = pair.groundless === undefined && pair.partlyRead === undefined;
    const verdict = adjusted[i] < verdictLevel && saysSomething ? pair.verdict : 'undecided';
    return { ...pair, adjusted: adjusted[i], verdict };
  });
}

export const primaryFamily = 'primary outcome';

/** The families of tests: the user's primary outcomes, then those that the probe declares, then all other metrics. */
function familiesOf(probe: string, primary: readonly string[]): (metric: string) => string {
  const { families = [] } = viewFor(probe);
  return (metric) => {
    if (primary.includes(metric) || primary.includes(baseId(metric))) return primaryFamily;
    const others = families.length === 0 ? `${probe}, all metrics` : 'other metrics';
    return families.find(({ metrics }) => metrics.test(baseId(metric)))?.name ?? others;
  };
}

/** Holm's correction within each family. */
function adjustedByFamily(found: readonly { family: string; pValue: number }[]): number[] {
  const adjusted = new Array<number>(found.length);
  for (const family of new Set(found.map((pair) => pair.family))) {
    const at = found.flatMap((pair, i) => (pair.family === family ? [i] : []));
    for (const [i, p] of holm(at.map((one) => found[one].pValue)).entries()) adjusted[at[i]] = p;
  }
  return adjusted;
}

/**
 * Rejects a metric that an option names if no paired test has it, because the option would change nothing. The name
 * without the mark of spreads is accepted, too.
 */
export function requireTested(
  option: string,
  named: readonly string[],
  tested: Iterable<{ metric: string }>,
): void {
  const metrics = Array.from(tested, ({ metric }) => metric);
  const known = new Set(metrics.flatMap((metric) => [metric, baseId(metric)]));
  const missing = named.find((metric) => !known.has(metric));
  if (missing === undefined) return;
  throw usageError(say('report.pairedTestMissing', option, missing), chooseFrom(missing, metrics));
}
