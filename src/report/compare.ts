import { CaptiousError } from '../base/errors';
import type { Metric } from '../probe/probe';
import { metricKey, metricName } from './figures';
import type { Report } from './report';

export interface ComparedMetric {
  name: string;
  a: Metric | undefined;
  b: Metric | undefined;
  /** b − a; null where either is not defined. */
  difference: number | null;
}

export interface Comparison {
  probe: string;
  /** Whatever besides the evaluator is not the same: the difference may come from it. */
  differences: string[];
  metrics: ComparedMetric[];
}

/** Lines up two reports of one probe, metric by metric, in the order of the first. */
export function compareReports(a: Report, b: Report): Comparison {
  if (a.probe !== b.probe) {
    throw new CaptiousError('usage', `The first report is of ${a.probe}, the second of ${b.probe}.`, {
      remedy: 'Give two reports of the same probe.',
    });
  }
  const ofB = new Map(b.metrics.map((metric) => [metricKey(metric), metric]));
  const metrics = a.metrics.map((metric): ComparedMetric => {
    const key = metricKey(metric);
    const other = ofB.get(key);
    ofB.delete(key);
    return line(metric, other);
  });
  for (const metric of ofB.values()) metrics.push(line(undefined, metric));
  return { probe: a.probe, differences: whatElseDiffers(a, b), metrics };
}

function line(a: Metric | undefined, b: Metric | undefined): ComparedMetric {
  const values = [a?.value ?? null, b?.value ?? null];
  const difference = values[0] === null || values[1] === null ? null : values[1] - values[0];
  return { name: metricName((a ?? b)!), a, b, difference };
}

function whatElseDiffers(a: Report, b: Report): string[] {
  const out: string[] = [];
  if (a.dataset.sha256 !== b.dataset.sha256)
    out.push(`the datasets: ${a.dataset.path} and ${b.dataset.path}`);
  if (a.dataset.examples !== b.dataset.examples) {
    out.push(`the examples that took part: ${a.dataset.examples} and ${b.dataset.examples}`);
  }
  if (a.seed !== b.seed) out.push(`the seeds: ${a.seed} and ${b.seed}`);
  if (a.limit !== b.limit) out.push(`the limits: ${a.limit ?? 'none'} and ${b.limit ?? 'none'}`);
  for (const key of new Set([...Object.keys(a.options), ...Object.keys(b.options)])) {
    if (a.options[key] !== b.options[key]) out.push(`option ${key}: ${a.options[key]} and ${b.options[key]}`);
  }
  for (const key of new Set([...Object.keys(a.versions), ...Object.keys(b.versions)])) {
    if (a.versions[key] !== b.versions[key]) {
      out.push(`the version of ${key}: ${a.versions[key] ?? 'none'} and ${b.versions[key] ?? 'none'}`);
    }
  }
  return out;
}
