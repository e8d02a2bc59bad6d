import { join } from 'node:path';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { Evaluator } from '../evaluator/evaluator';
import type { Findings, OptionValue, Probe } from '../probe/probe';
import { writeWhole } from '../report/output';
import type { Report } from '../report/report';
import { reportSchema } from '../report/reportShape';
import type { EvaluatorRun } from './pairs';
import { versions } from './versions';

export interface WrittenReport {
  path: string;
  report: Report;
}

interface ReportJob {
  probe: Probe;
  options: Record<string, OptionValue>;
  dataset: Dataset;
  evaluators: readonly Evaluator[];
  bench: Bench;
  out: string;
  limit: number | undefined;
}

/** The report of one evaluator, with its rows beside it. */
export async function writeReport(
  job: ReportJob,
  name: string,
  evaluatorRun: Omit<EvaluatorRun, 'summary'>,
  findings: Findings,
  datasetSha256: string,
  seed: number,
): Promise<WrittenReport> {
  const { dataset, evaluators, limit } = job;
  const info = evaluatorRun.evaluator.info;
  const warnings = [...findings.warnings];
  const cut = job.bench.cutTexts(evaluatorRun.evaluator);
  if (cut > 0) warnings.push(`${cut} captions or variants were longer than ${info.name} reads and were cut.`);
  if (evaluatorRun.examples === 0) warnings.push('No example took part: see what was left out.');
  const rowsSha256 = await evaluatorRun.rows.finish();
  const report: Report = {
    schema: reportSchema,
    probe: job.probe.id,
    dataset: {
      path: dataset.path,
      sha256: datasetSha256,
      format: dataset.format,
      examples: evaluatorRun.examples,
      skipped: evaluatorRun.exclusions.skipped,
      leftOut: evaluatorRun.exclusions.leftOut(),
    },
    evaluator: info,
    options: job.options,
    seed,
    ...(limit === undefined ? {} : { limit }),
    ...(job.probe.mode === 'gallery' && evaluators.length > 1
      ? { together: evaluators.map((evaluator) => evaluator.info.id) }
      : {}),
    claims: job.probe.claims(findings.metrics),
    metrics: findings.metrics,
    rows: `${name}.rows.jsonl`,
    rowCount: evaluatorRun.rows.lines,
    rowsSha256,
    warnings,
    versions: versions(),
  };
  const path = join(job.out, `${name}.report.json`);
  await writeWhole(path, `${JSON.stringify(report, null, 1)}\n`);
  return { path, report };
}
