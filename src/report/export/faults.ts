import { probeNamed } from '../../probe/list';
import type { Fault, Row } from '../../probe/probe';
import { inRow, notOf } from '../rows';

/** Rows of a report were written by the probe it names, so that probe can read them. */
export function faultsOf(probe: string, row: Row): Fault[] {
  const found = inRow(probe, row, (one) => probeNamed(probe).faults(one));
  if (!found.every(({ message, size }) => typeof message === 'string' && Number.isFinite(size)))
    throw notOf(probe, row);
  return found;
}

export interface PlacedFault extends Fault {
  row: Row;
}

/** The worst faults of a report, worst first, and how many there are in all; in memory only those that are kept. */
export async function worstFaults(
  probe: string,
  rows: AsyncIterable<Row>,
  kept: number,
): Promise<{ worst: PlacedFault[]; count: number; faultyRows: number }> {
  let worst: PlacedFault[] = [];
  let count = 0;
  let faultyRows = 0;
  const sift = () => {
    worst.sort((a, b) => b.size - a.size || a.row.row - b.row.row);
    worst = worst.slice(0, kept);
  };
  for await (const row of rows) {
    const faults = faultsOf(probe, row);
    if (faults.length > 0) faultyRows++;
    count += faults.length;
    for (const fault of faults) worst.push({ ...fault, row });
    if (worst.length > kept * 4) sift();
  }
  sift();
  return { worst, count, faultyRows };
}
