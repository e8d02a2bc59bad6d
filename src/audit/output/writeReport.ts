import { append } from '../../base/lists';
import { say, type Words } from '../../base/say';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../../bench/bench';
import type { Dataset } from '../../dataset/dataset';
import { joinPartly, type PartlyFound, partlyWords } from '../../dataset/images/partlyFound';
import { claimsOf } from '../../probe/claim';
import { metricsInClusters } from '../../probe/inference/clusterWords';
import type { Findings, OptionValue, Probe } from '../../probe/probe';
import { refusedClaims } from '../../probe/refused/claims';
import { constantClaim, type Spread, spreadWarning, withRelative } from '../../probe/spread';
import { whileNaming, writeWhole } from '../../report/output';
import type { Report } from '../../report/report';
import { reportSchema } from '../../report/reportShape';
import type { AuditEvent } from '../events';
import { type DraftFindings, draftOfShards } from '../precision/draft';
import type { Draws } from '../scoring/drawCount';
import { type Repeat, repeatClaim } from '../spread/repeat';
import type { ImageFold } from './imageFold';
import { withTruncation } from './truncation';
import { reportName } from './reportName';
import { versions } from '../../base/files/versions';
import type { EvaluatorRun } from '../scoring/pairRun';
import type { WrittenReport } from './writtenReport';

type ProbeParts = ('id' | 'claims' | 'measuresTruncation') | ('cards' | 'metricParts' | 'unit' | 'ofRange');

interface ReportJob extends Draws {
  probe: Pick<Probe, ProbeParts>;
  options: Record<string, OptionValue>;
  dataset: Pick<Dataset, 'path' | 'format' | 'cluster'>;
  bench: Pick<Bench, 'cutTexts'>;
  out: string;
  limit?: number;
  experiment?: Report['experiment'];
  checkpoint?: Report['checkpoint'];
  /** The images that were found by less than the whole path of their names. */
  partly: PartlyFound;
  /** The images on which the scores depend. */
  images: ImageFold | undefined;
  onEvent: (event: AuditEvent) => void;
}

export async function writeReport(
  job: ReportJob,
  /** The evaluator's part of the report's name. */
  evaluatorName: string,
  evaluatorRun: Omit<EvaluatorRun, 'summary' | 'answers'>,
  findings: Findings,
  datasetSha256: string,
  seed: number,
  { spread, repeat, draft }: { spread?: Spread; repeat?: Repeat; draft?: DraftFindings } = {},
): Promise<WrittenReport> {
  const { dataset } = job;
  const info = evaluatorRun.evaluator.info;
  const partlyFound = joinPartly([job.partly]);
  const warnings = warningsOf(job, evaluatorRun, findings, partlyFound);
  const missing = spread && spreadWarning(spread);
  if (missing !== undefined) warnings.push(missing);
  if (info.draft === true) append(warnings, draft?.notes ?? [draftOfShards(info.precision)]);
  const { probe, options } = job;
  const metrics = metricsInClusters(withRelative(probe, findings.metrics, spread), dataset.cluster);
  const unsteady = repeatClaim(repeat);
  const constant = constantClaim(probe, findings.metrics, { spread, repeat });
  const verdicts = claimsOf(probe, metrics, dataset.cluster);
  const cut = job.bench.cutTexts(evaluatorRun.evaluator);
  const unnamed: Report = {
    schema: reportSchema,
    probe: probe.id,
    dataset: {
      path: dataset.path,
      sha256: datasetSha256,
      format: dataset.format,
      ...(dataset.cluster === undefined ? {} : { cluster: dataset.cluster }),
      examples: evaluatorRun.examples,
      ...(findings.measured === undefined ? {} : { measured: findings.measured }),
      skipped: evaluatorRun.exclusions.skipped,
      leftOut: evaluatorRun.exclusions.leftOut(),
      ...(findings.lost === undefined ? {} : { lost: findings.lost }),
      ...(partlyFound.count === 0 ? {} : { partlyFound }),
      ...(job.images === undefined ? {} : { images: job.images }),
    },
    evaluator: info,
    ...(spread === undefined ? {} : { spread }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(draft?.measured === undefined ? {} : { draft: draft.measured }),
    options,
    seed,
    ...orderOf(job),
    ...(findings.altered === undefined ? {} : { altered: findings.altered }),
    claims:
      constant === undefined
        ? [
            ...(unsteady === undefined ? [] : [unsteady]),
            ...(probe.measuresTruncation === true
              ? verdicts
              : withTruncation(verdicts, cut, {
                  examples: evaluatorRun.examples,
                  rows: evaluatorRun.rows.lines,
                })),
            ...refusedClaims(metrics),
          ]
        : [constant],
    metrics,
    rows: '',
    rowCount: evaluatorRun.rows.lines,
    rowsSha256: await evaluatorRun.rows.seal(),
    warnings,
    versions: versions(),
  };
  return nameFiles(job, unnamed, evaluatorName, evaluatorRun.rows, draft?.confirmation);
}

/** Gives the rows, the confirmed lines and the report their final names. */
function nameFiles(
  { out, onEvent }: Pick<ReportJob, 'out' | 'onEvent'>,
  unnamed: Report,
  evaluatorName: string,
  rows: EvaluatorRun['rows'],
  confirmation: DraftFindings['confirmation'],
): Promise<WrittenReport> {
  return whileNaming(out, async () => {
    const { name, replaced } = await reportName(out, unnamed, evaluatorName);
    const path = join(out, `${name}.report.json`);
    if (replaced !== undefined)
      onEvent({
        type: 'notice',
        message: `${path}: this report was made with other options, another seed or another limit. A new report replaces it.`,
      });
    const file = `${name}.confirmed.jsonl`;
    const report: Report = {
      ...unnamed,
      ...(confirmation === undefined ? {} : { confirmed: { file, ...confirmation.counts } }),
      rows: `${name}.rows.jsonl`,
    };
    await rows.finish(join(out, report.rows));
    // The file of an earlier run would say something of other rows.
    if (confirmation === undefined) await rm(join(out, file), { force: true });
    else
      await writeWhole(join(out, file), confirmation.lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await writeWhole(path, `${JSON.stringify(report, null, 1)}\n`);
    return { path, report };
  });
}

function orderOf({
  draws,
  defaultDraws,
  limit,
  experiment,
  checkpoint,
}: ReportJob): Pick<Report, keyof Draws | 'limit' | 'experiment' | 'checkpoint'> {
  return {
    ...(draws === undefined ? {} : { draws }),
    ...(defaultDraws === undefined ? {} : { defaultDraws }),
    ...(limit === undefined ? {} : { limit }),
    ...(experiment === undefined ? {} : { experiment }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

/** What readers of the report should know, besides what its spread says. */
function warningsOf(
  { bench, dataset }: ReportJob,
  { evaluator, examples }: Pick<EvaluatorRun, 'evaluator' | 'examples'>,
  findings: Findings,
  partlyFound: ReturnType<typeof joinPartly>,
): Words[] {
  const { info } = evaluator;
  const warnings = [...findings.warnings];
  const cut = bench.cutTexts(evaluator);
  if (cut > 0) warnings.push(say('audit.truncatedTexts', info.name, cut));
  if (dataset.cluster !== undefined) warnings.push(say('audit.clusterIsObservation', dataset.cluster));
  if (partlyFound.count > 0) warnings.push(partlyWords(partlyFound));
  if (examples === 0) warnings.push(say('audit.nothingAudited'));
  return warnings;
}
