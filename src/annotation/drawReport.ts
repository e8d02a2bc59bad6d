import type { InvarianceRow } from '../probe/invariance/row';
import type { LgipRow } from '../probe/lgip/row';
import type { Drawn, SampleOptions } from './draw';
import { LgipVariants } from './lgip/variants';
import { drawSample } from './sample';

/** Draws a sample of variants from a report of the probe `invariance` or `lgip`. */
export async function drawReport(
  from:
    | { probe: 'invariance'; rows: AsyncIterable<InvarianceRow> }
    | { probe: 'lgip'; rows: AsyncIterable<LgipRow> },
  options: SampleOptions,
): Promise<Drawn> {
  if (from.probe === 'invariance') {
    const rows: InvarianceRow[] = [];
    for await (const row of from.rows) rows.push(row);
    return drawSample(rows, options);
  }
  const variants = new LgipVariants(options);
  for await (const row of from.rows) variants.add(row);
  return variants.draw();
}
