import type { Row } from '../../probe/probe';
import type { RowLens } from './lens';
import { plainLens } from './plain';
import { vislaLens } from './visla';

/** A probe's rows are only ever handed to the lens of its own id. */
const lenses: Readonly<Record<string, RowLens<never>>> = { visla: vislaLens };

export function lensFor(probe: string): RowLens {
  return (lenses[probe] as RowLens<Row> | undefined) ?? plainLens;
}
