import type { Steps } from '../../base/turns/steps';
import type { Observed } from '../../probe/inference/units';
import type { Basis } from '../scale';
import { inBasis, type RowShares, rowsInStep, shareKey } from '../shares';

/** A row that all reports have. */
export interface CommonRow extends Observed {
  image: string;
  /** In the order of the reports. */
  values: number[];
  weight: number;
}

export interface CommonRows {
  better: 'higher' | 'lower' | undefined;
  rows: CommonRow[];
}

/** For each metric, the rows for which all reports have a value, in comparable units. */
export function* commonRows(
  probe: string,
  reports: readonly RowShares[],
  basis: Basis,
): Steps<Map<string, CommonRows>> {
  const [first, ...others] = yield* inBasis(probe, reports, basis);
  const metrics = new Map<string, CommonRows>();
  let read = 0;
  for (const [key, { image, shares }] of first) {
    if (read++ % rowsInStep === 0) yield;
    const found = others.map((other) => {
      const own = other.get(key)?.shares ?? [];
      return new Map(own.map((share) => [shareKey(share), share.value]));
    });
    for (const share of shares) {
      const { metric, value, better, weight = 1, text } = share;
      const values = found.map((own) => own.get(shareKey(share)));
      if (values.some((other) => other === undefined)) continue;
      const of = metrics.get(metric) ?? { better, rows: [] };
      of.rows.push({ image, text, values: [value, ...values.map((other) => other!)], weight });
      metrics.set(metric, of);
    }
  }
  return metrics;
}
