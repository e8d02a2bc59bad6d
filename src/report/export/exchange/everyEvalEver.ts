/* Writes a report in the format of Every Eval Ever (its schema 0.3.0). */
import { stat } from 'node:fs/promises';
import { CaptiousError } from '../../../base/errors';
import { english } from '../../../base/english';
import { isPValue } from '../../../base/pValue';
import { say } from '../../../base/say';
import { directionsIn } from '../../../probe/imported/directions';
import { imported } from '../../../probe/imported/imported';
import { imagesOf, type Metric } from '../../../probe/metric';
import { metricNames } from '../../../probe/metricNames';
import { betterOf } from '../../../probe/view';
import { viewFor } from '../../../probe/views';
import type { Report } from '../../report';

/** `report` has no folders. The format requires a direction, so metrics without one are left out, as are metrics without a value. */
export async function everyEvalEver(reportPath: string, report: Report): Promise<string> {
  const { evaluator, dataset, probe, seed, versions } = report;
  const view = viewFor(probe);
  const directions = directionsIn(report.options);
  const lowerOf = ({ id }: Metric): boolean | undefined => {
    const better = probe === imported.id ? directions.get(id.slice(probe.length + 1)) : betterOf(view, id);
    return better === undefined ? undefined : better === 'lower';
  };
  const nameOf = metricNames(view, report.metrics);
  const results = report.metrics.flatMap((metric) => {
    const lower = lowerOf(metric);
    if (lower === undefined || metric.value === null || metric.moot === true || isPValue(metric.id))
      return [];
    return [resultOf(metric, metric.value, { lower, name: english(nameOf(metric.id)), dataset })];
  });
  if (results.length === 0)
    throw new CaptiousError('input', say('report.noDirectedMetrics'), {
      at: reportPath,
      ...(probe === imported.id ? { remedy: say('report.sayDirection') } : {}),
    });
  const written = String(Math.floor((await stat(reportPath)).mtimeMs / 1000));
  const record = {
    schema_version: '0.3.0',
    evaluation_id: [probe, dataset.path, evaluator.id, report.rowsSha256.slice(0, 16)].join('/'),
    retrieved_timestamp: written,
    source_metadata: {
      ...{ source_name: 'Captious', source_type: 'evaluation_run', source_organization_name: 'unknown' },
      evaluator_relationship: 'other',
    },
    eval_library: {
      ...{ name: 'captious', version: versions.captious ?? 'unknown' },
      additional_details: {
        ...{ probe, seed: String(seed) },
        ...(probe === imported.id ? { scored_by: dataset.format } : {}),
        ...Object.fromEntries(
          Object.entries(report.options).map(([key, value]) => [`option.${key}`, String(value)]),
        ),
      },
    },
    model_info: {
      ...{ name: evaluator.name, id: evaluator.id },
      additional_details: {
        ...{ deployment_type: 'unknown', model_availability: 'unknown' },
        ...{ kind: evaluator.kind, sha256: evaluator.sha256 },
      },
    },
    evaluation_results: results,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function resultOf(
  metric: Metric,
  value: number,
  { lower, name, dataset }: { lower: boolean; name: string; dataset: Report['dataset'] },
): object {
  const { id, n, ci, slice, ties } = metric;
  const of = Object.entries(slice ?? {}).map(([key, part]) => `${key}=${part}`);
  const [dataset_name, source_type] = [dataset.path, 'other'];
  return {
    evaluation_result_id: [id, ...of].join(' '),
    evaluation_name: [id, ...of].join(' '),
    source_data: { dataset_name, source_type, additional_details: { sha256: dataset.sha256 } },
    metric_config: {
      ...{ metric_id: id, metric_name: name, lower_is_better: lower },
      // Only a share states its number of ties, so only its bounds are known.
      ...(ties === undefined ? {} : { score_type: 'continuous', min_score: 0, max_score: 1 }),
    },
    score_details: {
      score: value,
      details: {
        examples: String(n),
        clusters: String(imagesOf(metric)),
        cluster: dataset.cluster ?? 'image',
      },
      uncertainty: {
        ...(ci === undefined
          ? {}
          : {
              confidence_interval: {
                ...{ lower: ci[0], upper: ci[1], confidence_level: 0.95 },
                method: `clustered by ${dataset.cluster ?? 'image'}`,
              },
            }),
        num_samples: n,
      },
    },
  };
}
