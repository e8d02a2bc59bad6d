/** The judgments beside a report, and its metrics without the variants that people reject. */
import { basename, extname } from 'node:path';
import { inTurns } from '../../base/turns/steps';
import { metricsInClusters } from '../../probe/inference/clusterWords';
import { figuresOver } from '../../probe/invariance/figuresOver';
import type { InvarianceRow } from '../../probe/invariance/row';
import type { Metric } from '../../probe/metric';
import { wholeMetric } from '../../probe/view';
import { viewFor } from '../../probe/views';
import type { Judged } from '../../protocol/parts/judged';
import { readReport } from '../../report/report';
import { type VariantRows, variantRows } from '../../report/variantRows';
import { lgipRowWithout, lgipSummaryOf } from '../../sessions/lgip/without';
import { type PickedProbe, picksOf, rejectedIn } from '../../sessions/picked';
import type { CheckFileAt } from '../../sessions/votes';
import { rowsWithout } from '../../sessions/without';
import { judgmentsOf, pickedProbe } from './files';

/** The metrics of the last report that was read, because the panel asks again when anything of it changes. */
let known: { key: string; metrics: Promise<Metric[]> } | undefined;

/** Null without judgments. */
export async function judgedIn(path: string, signal?: AbortSignal): Promise<Judged | null> {
  const report = await readReport(path);
  const probe = pickedProbe(report);
  const files = probe === undefined ? [] : await judgmentsOf(path, report);
  const judges = probe === undefined ? [] : files.map((file) => judgeOf(file, probe));
  if (probe === undefined || judges.every(({ rejected, valid }) => rejected + valid === 0)) return null;
  const rejected = rejectedIn(files, probe);
  const all = report.metrics;
  const key = JSON.stringify([path, report.rowsSha256, ...[...rejected].sort()]);
  const rest = rejected.size === 0 ? all : await (known?.key === key ? known.metrics : compute());
  return {
    judges: judges.filter(({ rejected: no, valid }) => no + valid > 0),
    rejected: rejected.size,
    metrics: viewFor(report.probe)
      .cards(report.metrics)
      .flatMap(({ metric: id, title, style }) => {
        const [was, now] = [wholeMetric(all, id), wholeMetric(rest, id)];
        return was === undefined || now === undefined
          ? []
          : [{ id, title, style, all: intervalOf(was), rest: intervalOf(now) }];
      }),
  };

  function compute(): Promise<Metric[]> {
    const metrics = metricsWithout(path, rejected, signal);
    known = { key, metrics };
    metrics.catch(() => (known = undefined));
    return metrics;
  }
}

function judgeOf(file: CheckFileAt, probe: PickedProbe): Judged['judges'][number] {
  const picks = [...picksOf(file, probe).values()];
  const rejected = picks.filter((picked) => picked === 'rejected').length;
  return { name: file.session.annotator, rejected, valid: picks.length - rejected };
}

function intervalOf({ value, n, ci }: Metric): Judged['metrics'][number]['all'] {
  return { value, n, ...(ci === undefined ? {} : { ci: [ci[0], ci[1]] }) };
}

/** The report's metrics, by the same estimator, over the rows without the variants in `rejected`. */
async function metricsWithout(
  path: string,
  rejected: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Metric[]> {
  const from = await variantRows(path, signal);
  return metricsInClusters(await metricsOf(from, rejected, signal), from.report.dataset.cluster);
}

async function metricsOf(
  from: VariantRows,
  rejected: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Metric[]> {
  const { options, seed, dataset, evaluator } = from.report;
  if (from.probe === 'lgip') {
    const summary = lgipSummaryOf({ options, scores: evaluator.scores });
    for await (const row of from.rows) summary.add(lgipRowWithout(row, rejected));
    return (await inTurns(summary.finish(), signal)).metrics;
  }
  if (from.probe !== 'invariance') return [];
  const rows: InvarianceRow[] = [];
  for await (const row of from.rows) rows.push(row);
  const context = {
    dataset: basename(dataset.path, extname(dataset.path)),
    ...{ seed, options, scores: evaluator.scores, scale: evaluator.scale },
  };
  return inTurns(figuresOver(rowsWithout(rows, rejected), context), signal);
}
