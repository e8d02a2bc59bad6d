/** The ids of RefCLIPScore and RefPAC-S, and the metric that each extends. */
export const referencedMetrics = { refclipscore: 'clipscore', 'refpac-s': 'pac-s' } as const;
export type ReferencedMetric = keyof typeof referencedMetrics;

/** Splits "refclipscore:starter" into "refclipscore" and the inner evaluator "clipscore:starter". */
export function referencedIn(ref: string): { metric: ReferencedMetric; inner: string } | undefined {
  const metric = (Object.keys(referencedMetrics) as ReferencedMetric[]).find((name) =>
    ref.startsWith(`${name}:`),
  );
  return metric && { metric, inner: `${referencedMetrics[metric]}${ref.slice(metric.length)}` };
}
