import type { InvarianceRow } from '../probe/invariance/row';
import type { LgipRow } from '../probe/lgip/row';
import type { QueryRow } from '../probe/prsm/row';
import { viewFor } from '../probe/views';
import { joinedDraws } from '../probe/inference/joinedDraws';
import type { Drawn, SampleOptions } from './draw';
import { LgipVariants } from './lgip/variants';
import { PrsmWordings } from './prsm/wordings';
import { drawSample } from './sample';

/** Draws a sample of variants from a report of the probe `invariance`, `lgip` or `prsm`. */
export async function drawReport(
  from:
    | { probe: 'invariance'; rows: AsyncIterable<InvarianceRow> }
    | { probe: 'lgip'; rows: AsyncIterable<LgipRow> }
    | { probe: 'prsm'; rows: AsyncIterable<QueryRow> },
  options: SampleOptions,
): Promise<Drawn> {
  if (from.probe === 'invariance') {
    const rows: InvarianceRow[] = [];
    for await (const row of from.rows) rows.push(row);
    return drawSample(rows, options);
  }
  if (from.probe === 'prsm') {
    const wordings = new PrsmWordings(options);
    for await (const row of from.rows) wordings.add(row);
    return wordings.draw();
  }
  const variants = new LgipVariants(options);
  // A variant that several draws made is judged once.
  for await (const row of joinedDraws(viewFor(from.probe).rows, from.rows)) variants.add(row);
  return variants.draw();
}
