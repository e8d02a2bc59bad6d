import { basename, dirname, join } from 'node:path';
import { type Correction, type Estimated, LgipCorrection } from '../../../sessions/lgip/correct';
import { type LgipCheckResult, mergeLgipChecks } from '../../../sessions/lgip/merge';
import { lgipRowWithout, lgipSummaryOf } from '../../../sessions/lgip/without';
import type { CheckSession } from '../../../sessions/check';
import { arePicked } from '../../../sessions/picked';
import { inputError } from '../../../base/errors';
import { inTurns } from '../../../base/turns/steps';
import { prepareFolder } from '../../../audit/output/folder';
import { claimsOf } from '../../../probe/claim';
import { claimsOfFewer } from '../../../probe/inference/withheld';
import { metricsInClusters } from '../../../probe/inference/clusterWords';
import { refusedClaims, refusedIn } from '../../../probe/refused/claims';
import { probeNamed } from '../../../probe/list';
import type { LgipRow } from '../../../probe/lgip/row';
import type { Metric } from '../../../probe/metric';
import { endsOf, figure } from '../../../report/figures';
import { OutputFile, whileNaming, writeWhole } from '../../../report/output';
import type { Report } from '../../../report/report';
import { type VariantRows, variantRows } from '../../../report/variantRows';
import type { Unit } from '../../../stats/agreement/stratified';
import { text, type Values } from '../../arguments';
import { log, logLeftOut, print, printJson, table } from '../../terminal';
import { stemOf } from './checkAgain';
import { judgedWords, kappaWords } from './mergeInvariance';

/** The main metrics with and without the rejected variants. */
interface Again {
  leftOut: number;
  metrics: { id: string; before: number; after: number }[];
  /** The path of the new report. Undefined if no report was requested. */
  file?: string;
}

const headlines = ['lgip.inv', 'lgip.sens', 'lgip.pr'];

export async function mergeLgip(
  sessions: readonly { session: CheckSession; at: string }[],
  path: string,
  values: Values,
  signal: AbortSignal,
): Promise<void> {
  const result = mergeLgipChecks(sessions);
  const rejected = new Set(result.verdicts.filter(({ valid }) => !valid).map(({ id }) => id));
  const correction = new LgipCorrection(result.verdicts, sessions[0].session.origin.strata);
  const again = await recompute(path, rejected, text(values, 'out'), result.annotators, signal, (row) =>
    correction.add(row),
  );
  const isSample = !arePicked(sessions.map(({ session }) => session));
  if (!isSample) log('no estimate for all variants: people picked the judged ones in the report');
  const corrected = isSample ? correction.finish() : { valid: [], metrics: [], leftOut: [], pooled: [] };
  if (values.json) printJson({ ...result, ...corrected, again });
  else show(result, corrected, again);
}

/** A report's variants, each with its stratum. Judged variants also have a label. */
export async function lgipUnits(
  sessions: readonly { session: CheckSession; at: string }[],
  path: string,
): Promise<{ judged: number; units: Unit[]; leftOut: string[] }> {
  const { judged, verdicts } = mergeLgipChecks(sessions);
  const correction = new LgipCorrection(verdicts, sessions[0].session.origin.strata);
  const from = await rowsOfProbe(path, 'lgip');
  for await (const row of from.rows) correction.add(row);
  logLeftOut(path, from.leftOut);
  return { judged, ...correction.units() };
}

/** A report's rows. Fails if the report is not of this probe. */
export async function rowsOfProbe<P extends VariantRows['probe']>(
  path: string,
  probe: P,
): Promise<Extract<VariantRows, { probe: P }>> {
  const from = await variantRows(path);
  if (isOf(from, probe)) return from;
  throw inputError(
    `This is not a report of the probe ${probe}.`,
    'Specify the report that "captious check sample" drew the sample from.',
    path,
  );
}

function isOf<P extends VariantRows['probe']>(
  from: VariantRows,
  probe: P,
): from is Extract<VariantRows, { probe: P }> {
  return from.probe === probe;
}

/** Computes the metrics without the rejected variants. Writes the report to `out`. `hear` gets each row. */
async function recompute(
  path: string,
  rejected: ReadonlySet<string>,
  out: string | undefined,
  annotators: readonly string[],
  signal: AbortSignal,
  hear: (row: LgipRow) => void,
): Promise<Again> {
  const from = await rowsOfProbe(path, 'lgip');
  const { report } = from;
  const summary = lgipSummaryOf({ options: report.options, scores: report.evaluator.scores });
  if (out !== undefined) await prepareFolder(out);
  const stem = out === undefined ? undefined : join(out, `${stemOf(basename(path))}.valid`);
  const file = stem === undefined ? undefined : await OutputFile.create(`${stem}.rows.jsonl`);
  try {
    for await (const row of from.rows) {
      hear(row);
      const left = lgipRowWithout(row, rejected);
      summary.add(left);
      await file?.line(left);
    }
    logLeftOut(path, from.leftOut);
    const metrics =
      rejected.size === 0
        ? report.metrics
        : [
            ...metricsInClusters((await inTurns(summary.finish(), signal)).metrics, report.dataset.cluster),
            ...refusedIn(report.metrics),
          ];
    const again: Again = { leftOut: rejected.size, metrics: changesOf(report.metrics, metrics) };
    if (file === undefined || stem === undefined) return again;
    const rowsSha256 = await file.seal();
    const after: Report = {
      ...report,
      metrics,
      claims: claimsOfFewer(report.claims, [
        ...claimsOf(probeNamed('lgip'), metrics, report.dataset.cluster),
        ...refusedClaims(metrics),
      ]),
      rows: `${basename(stem)}.rows.jsonl`,
      rowsSha256,
      warnings: [
        ...report.warnings,
        `Left out after a check by ${annotators.join(', ')}: ${rejected.size} variants that the majority does not find valid, and the flips of such paraphrases.`,
      ],
    };
    await whileNaming(dirname(stem), async () => {
      await file.finish();
      await writeWhole(`${stem}.report.json`, `${JSON.stringify(after, null, 1)}\n`);
    });
    return { ...again, file: `${stem}.report.json` };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

function changesOf(before: readonly Metric[], after: readonly Metric[]): Again['metrics'] {
  const valueIn = (metrics: readonly Metric[], id: string): number | null | undefined =>
    metrics.find((metric) => metric.id === id && metric.slice === undefined)?.value;
  return headlines.flatMap((id) => {
    const [was, now] = [valueIn(before, id), valueIn(after, id)];
    return typeof was === 'number' && typeof now === 'number' ? [{ id, before: was, after: now }] : [];
  });
}

function show(result: LgipCheckResult, { valid, metrics, leftOut, pooled }: Correction, again: Again): void {
  const rule =
    'A paraphrase is valid if the majority finds that it has the same meaning and does not describe the image worse. Other variants are valid if the majority finds that they have a different meaning and describe the image worse.';
  if (!printJudged(result, valid, rule)) return;
  if (metrics.length > 0) {
    print('');
    print(
      table(
        ['metric', 'reported', 'valid only', '95 % interval'],
        metrics.map((one) => [one.id, figure(one.reported), ...cells(one)]),
      ),
    );
  }
  for (const { family, id, note } of [
    ...valid.map((one) => ({ id: undefined, ...one })),
    ...metrics.map((one) => ({ family: undefined, ...one })),
  ])
    if (note !== undefined) log(`${id ?? family}: ${note}`);
  if (leftOut.length > 0) log(`without an estimate, with fewer than two labels: ${leftOut.join(', ')}`);
  if (pooled.length > 0) log(`strata joined, because one has fewer than two labels: ${pooled.join('; ')}`);
  print(`\n${againWords(again)}`);
  if (again.file !== undefined) print(`report: ${again.file}`);
}

/** Prints the judgments and the shares of valid variants by `rule`. False if nothing was judged. */
export function printJudged(result: LgipCheckResult, valid: Correction['valid'], rule: string): boolean {
  print(judgedWords(result));
  if (result.judged === 0) return false;
  printKinds(result);
  print(`\n${rule}\n`);
  printValid(valid);
  return true;
}

/** Prints κ, and a table of answers by kind of variant. */
function printKinds({ kinds, kappa }: Pick<LgipCheckResult, 'kinds' | 'kappa'>): void {
  print(
    `Fleiss' κ of acceptability ${kappaWords(kappa.acceptability)}, of meaning ${kappaWords(kappa.meaning)}.\n`,
  );
  print(
    table(
      ['variants', 'items', 'same', 'unsure', 'different', 'worse', 'valid'],
      kinds.map(({ family, kind, ...one }) =>
        [`${family}, ${kind}`, one.items, one.same, one.unsure, one.different, one.worse, one.valid].map(
          String,
        ),
      ),
    ),
  );
}

function printValid(valid: Correction['valid']): void {
  if (valid.length > 0)
    print(
      table(
        ['share of valid variants', 'value', '95 % interval', 'labels', 'variants'],
        valid.map(({ family, labels, variants, ...one }) => [
          family,
          ...cells(one),
          String(labels),
          String(variants),
        ]),
      ),
    );
}

function againWords({ leftOut, metrics }: Again): string {
  if (leftOut === 0) return 'People rejected no variant: all metrics stay the same.';
  const changes = metrics.map(({ id, before, after }) => `${id} ${figure(before)} → ${figure(after)}`);
  return `Without the ${leftOut} rejected variants of the sample: ${changes.join(', ')}.`;
}

function cells({ estimate, ci }: Estimated): string[] {
  return [figure(estimate), endsOf(ci)];
}
