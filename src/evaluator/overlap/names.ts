/** RefCLIPScore and RefPAC-S: their ids, and the metric that each one extends. */
export const referencedMetrics = { refclipscore: 'clipscore', 'refpac-s': 'pac-s' } as const;
export type ReferencedMetric = keyof typeof referencedMetrics;

/**
 * Splits "refclipscore:starter" into the metric, "refclipscore", and the evaluator inside it,
 * "clipscore:starter".
 */
export function referencedIn(ref: string): { metric: ReferencedMetric; inner: string } | undefined {
  const metric = (Object.keys(referencedMetrics) as ReferencedMetric[]).find((name) =>
    ref.startsWith(`${name}:`),
  );
  return metric && { metric, inner: `${referencedMetrics[metric]}${ref.slice(metric.length)}` };
}
