import { reporting } from '../../probe/list';
import type { Fault } from '../../probe/probe';
import type { Row } from '../../probe/metric';

export interface PlacedFault extends Fault {
  row: Row;
}

/** A report's worst faults, worst first, and the number of all its faults. Only the worst are kept in memory. */
export async function worstFaults(
  probe: string,
  rows: AsyncIterable<Row>,
  kept: number,
): Promise<{ worst: PlacedFault[]; count: number; faultyRows: number; rowCount: number }> {
  let worst: PlacedFault[] = [];
  let count = 0;
  let [faultyRows, rowCount] = [0, 0];
  const sift = () => {
    worst.sort((a, b) => b.size - a.size || a.row.row - b.row.row);
    worst = worst.slice(0, kept);
  };
  const { faults: faultsOf } = reporting(probe);
  for await (const row of rows) {
    const faults = faultsOf(row);
    rowCount++;
    if (faults.length > 0) faultyRows++;
    count += faults.length;
    for (const fault of faults) worst.push({ ...fault, row });
    if (worst.length > kept * 4) sift();
  }
  sift();
  return { worst, count, faultyRows, rowCount };
}
