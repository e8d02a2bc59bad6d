import { english } from '../../base/english';
import { type CheckLabel, checkLabels, type LabelledVariants, labelledVariants } from '../../sessions/labels';
import { mergeChecks } from '../../sessions/mergeChecks';
import { CheckSession } from '../../sessions/check';
import { arePicked } from '../../sessions/picked';
import { CaptiousError, inputError, usageError } from '../../base/errors';
import { readScores } from '../../evaluator/scoresTable';
import { mergeSessions } from '../../sessions/mergeTriplets';
import { sessionSchema, TripletSession } from '../../sessions/triplets';
import { endsOf, figure } from '../../report/figures';
import { readReport } from '../../report/report';
import { predictionPoweredMean } from '../../stats/agreement/ppi';
import { stratifiedMean } from '../../stats/agreement/stratified';
import type { Interval } from '../../stats/bootstrap';
import { isDefined, type Outcome } from '../../stats/outcome';
import { auditAt } from '../audits';
import { type Command, text, type Values } from '../arguments';
import { log, print, printJson, table } from '../terminal';
import { contentOf } from './check/check';
import { checkEnding } from './check/sample';
import { lgipUnits } from './check/mergeLgip';

interface Estimate extends Interval {
  labels: number;
  /** The number of units with a score but no label. */
  scores: number;
  unmatched: number;
  lambda: number;
  labelsOnly: Interval;
}

/** Labels by key. A label without a score is unmatched. */
type Labels = ReadonlyMap<string, number>;

export const estimateCommand: Command = {
  name: 'estimate',
  summary: 'estimate the mean human label of many captions from few labels and many scores',
  usage: ['estimate LABELS… SCORES'],
  operands: {
    'LABELS…': `labels by people, in one of three forms. A file of JSON lines or a table with key and score, where score is the label. Human check files (${checkEnding}) of a sample of the report SCORES. Triplet files of the workshop, where accepted is 1 and rejected is 0`,
    SCORES:
      'scores of an evaluator for these and many more keys, in the same form. For human check files: the report that the sample was drawn from. For triplet files, the key is the id of the item',
  },
  options: {
    label: {
      value: 'L',
      describe:
        'with human check files: what to estimate. valid (default): the share of valid variants. A variant of invariance is valid if the majority accepts both versions; captious check --help says when a variant of lgip is valid. preferred (invariance only): the share of variants of which the majority prefers the original; no difference counts one half',
    },
    json: { describe: 'print the estimate as one JSON value' },
  },
  notes: [
    'Prediction-powered inference (PPI++): the labels correct the error of the scores, so the interval is valid for any evaluator. The better the evaluator agrees with people, the shorter is the interval. The labelled captions must be a random sample of all. In tables and triplet files, each image should have only one key. Human check files are weighted by the strata of the sample. There, an image may have several variants, which count as one cluster.',
  ],
  examples: [
    'estimate labels.csv scores.jsonl',
    'estimate reports/invariance.starter.ann.check.json reports/invariance.starter.bo.check.json reports/invariance.starter.report.json',
  ],

  async run({ positionals, values, signal }) {
    if (positionals.length < 2)
      throw usageError(
        `Expected a file of labels and a file of scores, got ${positionals.length}.`,
        'See: captious estimate --help',
      );
    const files = positionals.slice(0, -1);
    const scores = positionals[positionals.length - 1];
    const checks = files.some((file) => file.endsWith(checkEnding));
    if (!checks && text(values, 'label') !== undefined)
      throw usageError(`--label applies to human check files (${checkEnding}) only.`, 'Remove this option.');
    const estimate = checks
      ? await fromChecks(files, scores, values)
      : await fromTable(await labelsIn(files, signal), scores, signal);
    if (!isDefined(estimate))
      throw inputError(
        `There is no estimate: ${english(estimate.reason)}.`,
        checks
          ? 'Judge more variants, at least two of each family.'
          : 'Use the same keys in both files, and more scores than labels.',
        positionals.join(', '),
      );
    if (values.json === true) printJson(estimate);
    else show(estimate, checks);
    return 0;
  },
};

async function fromTable(labels: Labels, scores: string, signal: AbortSignal): Promise<Outcome<Estimate>> {
  const all = await readScores(scores, signal);
  const both = [...labels].filter(([key, label]) => isUsable(label) && isUsable(all.scores.get(key)));
  const rest = [...all.scores].filter(([key, score]) => isUsable(score) && !labels.has(key));
  const found = predictionPoweredMean(
    both.map(([, label]) => label),
    both.map(([key]) => all.scores.get(key)!),
    rest.map(([, score]) => score),
  );
  return isDefined(found)
    ? { labels: both.length, scores: rest.length, unmatched: labels.size - both.length, ...found }
    : found;
}

async function labelsIn(files: readonly string[], signal: AbortSignal): Promise<Labels> {
  const [first] = files;
  const isTable = !first.endsWith('.json') || !(await contentOf(first)).includes(sessionSchema);
  if (files.length === 1 && isTable) return (await readScores(first, signal)).scores;
  const sessions = await Promise.all(
    files.map(async (at) => ({ at, session: TripletSession.parse(await contentOf(at), at) })),
  );
  const session = sessions.length > 1 ? mergeSessions(sessions).session : sessions[0].session;
  return new Map(
    session.items.flatMap(({ id, decision: { status } }): [string, number][] =>
      status === 'open' ? [] : [[id, status === 'accepted' ? 1 : 0]],
    ),
  );
}

async function fromChecks(
  files: readonly string[],
  path: string,
  values: Values,
): Promise<Outcome<Estimate>> {
  const asked = text(values, 'label') ?? checkLabels[0];
  const kind = checkLabels.find((name): name is CheckLabel => name === asked);
  if (kind === undefined)
    throw new CaptiousError('usage', `--label ${asked}: expected ${checkLabels.join(' or ')}.`);
  const sessions = await Promise.all(
    files.map(async (at) => ({ at, session: CheckSession.parse(await contentOf(at), at) })),
  );
  if (arePicked(sessions.map(({ session }) => session)))
    throw inputError(
      'A file has judgments that people picked in a report, not a sample.',
      'Use files of "captious check sample". "captious check merge" also reads picked judgments.',
      files.join(', '),
    );
  const { probe, strata } = sessions[0].session.origin;
  if (probe === 'prsm')
    throw usageError(
      'The files are judgments of a prsm report, whose wordings have no scores.',
      '"captious check merge" estimates the share of valid wordings.',
    );
  if (probe === 'lgip' && kind !== 'valid')
    throw usageError(`--label ${kind} applies to invariance reports only.`, 'Use --label valid.');
  const report = await readReport(path);
  if (report.rowsSha256 !== sessions[0].session.origin.rowsSha256)
    throw inputError(
      'The rows of this report differ from those that the sample was drawn from.',
      'Specify the report that "captious check sample" drew the sample from.',
      path,
    );
  const { judged, units, leftOut } =
    probe === 'lgip' ? await lgipUnits(sessions, path) : await invarianceUnits();
  if (leftOut.length > 0) log(`left out, with fewer than two labels: ${leftOut.join(', ')}`);
  const found = stratifiedMean(units);
  if (!isDefined(found)) return found;
  const { labels } = found;
  return { ...found, scores: units.length - labels, unmatched: judged - labels };

  async function invarianceUnits(): Promise<LabelledVariants & { judged: number }> {
    const result = mergeChecks(sessions);
    const { rows } = await auditAt(path);
    return { judged: result.judged, ...labelledVariants(rows, result, kind!, strata) };
  }
}

function show(
  { estimate, low, high, labels, scores, unmatched, lambda, labelsOnly }: Estimate,
  fromChecks: boolean,
): void {
  const line = (name: string, value: number, ends: readonly [number, number]): string[] => [
    name,
    figure(value, ends),
    endsOf(ends),
  ];
  print(
    table(
      ['mean label', 'value', '95 % interval'],
      [
        line('labels and scores', estimate, [low, high]),
        line('labels alone', labelsOnly.estimate, [labelsOnly.low, labelsOnly.high]),
      ],
    ),
  );
  print(`\n${labels} labels, ${scores} more scores, weight of the scores ${figure(lambda)}`);
  if (unmatched === 0) return;
  print(
    fromChecks
      ? `${unmatched} judged variants were left out: they have no majority, their stratum has fewer than two labels, or the report lacks them`
      : `${unmatched} labels have no score and were left out`,
  );
}

function isUsable(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
