import { holm } from '../../../stats/holm';
import { observation, observations } from '../../../base/text/observations';
import { english } from '../../../base/english';
import { untilCancelled, usageError } from '../../../base/errors';
import { inTurns } from '../../../base/turns/steps';
import { comparedExamples, comparisonHtml } from '../../../report/export/comparison';
import { countOf, endsOf, figure, valueOf } from '../../../report/figures';
import { isPValue, pValueText } from '../../../base/pValue';
import {
  captionsWords,
  type LinedUp,
  lineUpReports,
  type PairOfReports,
  pairUpReports,
  primaryFamily,
  requireTested,
  verdictWords,
} from '../../../report/lineUp';
import { LeftOutRows } from '../../../report/rowChecks';
import { writeWhole } from '../../../report/output';
import { readReport, type Report } from '../../../report/report';
import {
  type Margins,
  type MetricRanks,
  nonInferiority,
  parseMargins,
  ranksOfReports,
} from '../../../report/decisions/decisions';
import { groundlessIn } from '../../../probe/ground';
import { viewFor } from '../../../probe/views';
import { hasP, verdictLevel } from '../../../report/paired';
import { rightOnly } from '../../../report/discordant';
import { basisOf } from '../../../report/scale';
import { sharesByRow } from '../../../report/shares';
import { readRows } from '../../../report/rows';
import { type Command, list, repeated, requireOther, rowsBeside, text } from '../../arguments';
import { label, letterOf, parseLabels } from '../../labels';
import { nothingAudited } from '../../../audit/output/nothingAudited';
import { log, logLeftOut, print, printJson, table } from '../../terminal';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'compare two or more reports of one probe, metric by metric',
  usage: ['compare A B [C…]'],
  operands: {
    'A, B, C…': 'reports of one probe. The command prints one table, and a paired test for every two reports',
  },
  options: {
    html: {
      value: 'FILE',
      describe:
        'write the comparison as an HTML page. For LGIP, the page has a chart of invariance and sensitivity, and examples on which the evaluators disagree',
    },
    ranks: {
      describe:
        'also print the rank of each report with its interval, and the probability that the report is the best. Both are computed by resampling the same images for all reports',
    },
    margin: {
      value: 'M',
      describe:
        'for each pair, also test whether the second report is at most M worse (non-inferiority, one-sided level 0.025). Metrics in units of the score of evaluators with different scales have M in spreads. METRIC=M,… sets M for single metrics and tests only these',
    },
    anytime: {
      describe:
        'also run an anytime-valid test of right or wrong results, in the order of the file. It stays valid if you repeat it while the runs grow',
    },
    metric: {
      value: 'M[,M…]',
      multiple: true,
      describe:
        'the primary outcomes, chosen before looking at the results. Their tests are a family of their own for Holm’s correction; the other metrics are adjusted within the families that the probe declares',
    },
    label,
    json: { describe: 'print the comparison as one JSON value' },
  },
  examples: ['compare reports/visla.starter.report.json reports/visla.clipscore_starter.report.json'],

  async run({ positionals, values, signal }) {
    if (positionals.length < 2) {
      throw usageError(
        `Expected two or more reports, got ${positionals.length}.`,
        'See: captious compare --help',
      );
    }
    const reports = await Promise.all(positionals.map(readReport));
    const empty = reports.findIndex(({ dataset }) => dataset.examples === 0);
    if (empty >= 0) throw nothingAudited({ path: positionals[empty], report: reports[empty] });
    const naming = { labels: parseLabels(repeated(values, 'label'), reports.length), paths: positionals };
    const lined = lineUpReports(reports, naming);
    const leftOut = reports.map(() => new LeftOutRows());
    const pairs = await pairUpReports(reports, positionals, leftOut, {
      anytime: values.anytime === true,
      signal,
      primary: list(values, 'metric'),
    });
    for (const [i, rows] of leftOut.entries()) logLeftOut(positionals[i], rows);
    const given = text(values, 'margin');
    const margins = given === undefined ? undefined : parseMargins(given);
    if (margins !== undefined) requireTested('margin', margins.named, pairs);
    const ranks = values.ranks ? await readRanks(reports, positionals, signal) : undefined;
    const file = text(values, 'html');
    if (file !== undefined) {
      requireOther(file, [...positionals, ...positionals.map(rowsBeside)]);
      const examples = await comparedExamples(reports, positionals, lined);
      await writeWhole(file, comparisonHtml(reports, lined, pairs, examples));
      log(`wrote ${file}`);
    }
    const evaluators = reports.map(({ evaluator: { id, name, kind, dimension } }) => ({
      id,
      name,
      kind,
      dimension: dimension ?? null,
    }));
    if (values.json) {
      printJson({
        ...lined,
        evaluators,
        pairs: pairs.map((pair) => {
          const margin = margins?.(pair.metric);
          return margin === undefined ? pair : { ...pair, nonInferiority: nonInferiority(pair, margin) };
        }),
        ...(ranks === undefined ? {} : { ranks }),
      });
      return 0;
    }
    const letters = reports.map((_, i) => letterOf(i));
    const units = english(observations(lined.cluster));
    print(`${lined.probe}:`);
    for (const [i, { kind, dimension }] of evaluators.entries())
      print(
        `  ${letters[i]} is ${lined.names[i]} (${kind}${dimension === null ? '' : `, ${dimension} dimensions`}) on ${lined.datasets[i]}`,
      );
    print(`\n${metricTable(lined, letters)}`);
    if (pairs.length > 0)
      print(
        `\nEach pair of reports, compared row by row on the shared examples. The test is a paired t-test with standard errors clustered by ${english(observation(lined.cluster))}, corrected for skewed differences of scores.${captionsWords(pairs)} For correlations, it is a permutation test with random sign flips. The p values are adjusted with Holm's method within each family: ${familyWords(pairs)}.\n\n${pairTable(pairs, letters, lined.cluster)}`,
      );
    else if (new Set(reports.map(({ dataset }) => dataset.sha256)).size === reports.length)
      print(
        '\nNo paired comparison: the dataset files differ. Audit the same version of one file with all evaluators.',
      );
    if (values.anytime)
      print(
        `\nAnytime-valid tests of right or wrong results, which you may repeat while a run grows. Means are over ${units}. The p values are adjusted with Holm's method over these lines:\n\n${anytimeTable(pairs, letters, units)}`,
      );
    if (margins !== undefined && pairs.length > 0)
      print(
        `\nTest whether the second report is at most ${given} worse (one-sided):\n\n${marginTable(pairs, letters, margins)}`,
      );
    if (ranks !== undefined)
      print(
        `\nRanks with 95 % intervals, and P(best), the probability of being the best. The same ${units} were resampled for all reports:\n\n${rankTable(ranks, letters, units)}`,
      );
    if (lined.notCompared !== undefined) print(`\n${lined.notCompared}`);
    for (const difference of lined.differences) print(`the reports differ in ${english(difference)}`);
    return 0;
  },
};

/** A table of the reports' metrics. For two reports, it has a column of differences. */
function metricTable({ metrics }: LinedUp, letters: readonly string[]): string {
  const two = letters.length === 2;
  const lines = metrics.map(({ name, values, ownUnits }) => {
    const [a, b] = values.map((metric) => metric?.value ?? null);
    const isP = values.some((metric) => metric !== undefined && isPValue(metric.id));
    const difference = a === null || b === null || isP || ownUnits ? '–' : signed(b - a);
    return [
      name,
      ...values.map((metric) => (metric === undefined ? figure(null) : valueOf(metric))),
      ...(two ? [difference] : []),
    ];
  });
  return table(['metric', ...letters, ...(two ? ['B − A'] : [])], lines);
}

function pairTable(
  pairs: readonly PairOfReports[],
  letters: readonly string[],
  cluster: string | undefined,
): string {
  const rows = byFamily(pairs).map((pair) => [
    pair.metric,
    `${letters[pair.second]} − ${letters[pair.first]}`,
    english(countOf(pair, cluster)),
    signed(pair.difference, pair.ci),
    endsOf(pair.ci),
    hasP(pair) ? pValueText(pair.pValue) : '–',
    hasP(pair) ? pValueText(pair.adjusted) : '–',
    rightOnly(pair)?.join(':') ?? '',
    verdictWords(pair, letters, cluster),
  ]);
  return table(
    ['metric', '', 'n', 'difference', '95 % interval', 'p', 'adjusted', 'only one right', ''],
    rows,
  );
}

/** Primary outcomes first, then the other families in the order of their first metric. */
function byFamily(pairs: readonly PairOfReports[]): PairOfReports[] {
  const families = familiesIn(pairs);
  return families.flatMap((family) => pairs.filter((pair) => pair.family === family));
}

function familiesIn(pairs: readonly PairOfReports[]): string[] {
  const families = [...new Set(pairs.map(({ family }) => family))];
  return families.sort((a, b) => Number(b === primaryFamily) - Number(a === primaryFamily));
}

function familyWords(pairs: readonly PairOfReports[]): string {
  return familiesIn(pairs)
    .map((family) => {
      const metrics = new Set(pairs.flatMap((pair) => (pair.family === family ? [pair.metric] : [])));
      return `${family} (${[...metrics].join(', ')})`;
    })
    .join('; ');
}

async function readRanks(
  reports: readonly Report[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<MetricRanks[]> {
  if (new Set(reports.map(({ dataset }) => dataset.sha256)).size > 1)
    throw usageError('--ranks needs reports of one dataset.', 'Compare reports of the same file.');
  const shares = [];
  for (const [i, report] of reports.entries())
    shares.push(
      await sharesByRow(report.probe, untilCancelled(readRows(paths[i], report, new LeftOutRows()), signal)),
    );
  const { probe } = reports[0];
  const groundlessBy = (metric: string) => groundlessIn(viewFor(probe), reports, metric);
  return inTurns(ranksOfReports(probe, shares, basisOf(reports), groundlessBy), signal);
}

function anytimeTable(pairs: readonly PairOfReports[], letters: readonly string[], units: string): string {
  const found = pairs.flatMap(({ anytime, ...pair }) =>
    anytime === undefined ? [] : [{ pair, ...anytime }],
  );
  const adjusted = holm(found.map(({ pValue }) => pValue));
  const rows = found.map(({ pair, images, difference, ci, pValue }, i) => {
    const isBetter = difference > 0 === (pair.better === 'higher');
    return [
      pair.metric,
      `${letters[pair.second]} − ${letters[pair.first]}`,
      String(images),
      signed(difference, ci),
      endsOf(ci),
      pValueText(pValue),
      pValueText(adjusted[i]),
      pair.groundless !== undefined
        ? verdictWords(pair, letters, undefined)
        : adjusted[i] < verdictLevel && pair.better !== undefined
          ? `${letters[isBetter ? pair.second : pair.first]} is better`
          : 'undecided',
    ];
  });
  return table(['metric', '', units, 'difference', '95 % interval', 'p', 'adjusted', ''], rows);
}

function marginTable(pairs: readonly PairOfReports[], letters: readonly string[], margins: Margins): string {
  const rows = pairs.flatMap((pair) => {
    const margin = margins(pair.metric);
    if (margin === undefined) return [];
    const { pValue, shown } = nonInferiority(pair, margin);
    return [
      [
        pair.metric,
        `${letters[pair.second]} against ${letters[pair.first]}`,
        pValue === undefined ? '–' : pValueText(pValue),
        pair.groundless !== undefined
          ? verdictWords(pair, letters, undefined)
          : shown
            ? 'not inferior'
            : 'not shown',
      ],
    ];
  });
  return table(['metric', '', 'p', ''], rows);
}

function rankTable(ranks: readonly MetricRanks[], letters: readonly string[], units: string): string {
  const rows = ranks.map(({ metric, images, texts, groundless = [], ranks: own }) => [
    metric,
    texts === undefined ? String(images) : `${images} (${texts} captions)`,
    ...letters.map((_, i) => {
      if (groundless.includes(i)) return 'at chance level';
      const ranked = own?.[i];
      if (ranked == null) return '–';
      const { rank, low, high, best } = ranked;
      return `${rank} [${low}, ${high}] ${best.toFixed(2)}`;
    }),
  ]);
  return table(['metric', units, ...letters], rows);
}

function signed(value: number, ci?: readonly [number, number]): string {
  return (value > 0 ? '+' : '') + figure(value, ci);
}
