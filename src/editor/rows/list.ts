import type { Row } from '../../probe/probe';
import { auditLens } from './audit';
import type { RowLens } from './lens';
import { lgipLens } from './lgip';
import { plainLens } from './plain';
import { prsmLens } from './prsm';
import { rococoLens } from './rococo';
import { sugarcrepeLens } from './sugarcrepe';
import { vislaLens } from './visla';
import { winogroundLens } from './winoground';

/** A probe's rows are only ever handed to the lens of its own id. */
const lenses: Readonly<Record<string, RowLens<never>>> = {
  lgip: lgipLens,
  visla: vislaLens,
  sugarcrepe: sugarcrepeLens,
  winoground: winogroundLens,
  rococo: rococoLens,
  prsm: prsmLens,
  audit: auditLens,
};

export function lensFor(probe: string): RowLens {
  return (lenses[probe] as RowLens<Row> | undefined) ?? plainLens;
}
