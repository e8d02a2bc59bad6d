/** A p value for display, such as "0.0123" or "1.2e-7". It is never "0.0000". */
export function pValueText(p: number): string {
  if (p >= 0.001) return p.toFixed(4);
  return p < 1e-300 ? '< 1e-300' : p.toExponential(1);
}

/** Formats a p value with its name: "p = 0.0123" or "p < 1e-300". */
export function pEquals(p: number): string {
  const text = pValueText(p);
  return text.startsWith('<') ? `p ${text}` : `p = ${text}`;
}

/** The value of a metric for display. An `id` that ends in ".p" means a p value. Other values get four decimals. */
export function metricText(id: string, value: number): string {
  return id.endsWith('.p') ? pValueText(value) : value.toFixed(4);
}
