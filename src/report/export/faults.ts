import { say } from '../../base/say';
import { escapeXml as e } from '../../base/xml';
import { reporting } from '../../probe/list';
import type { Fault } from '../../probe/probe';
import type { Row } from '../../probe/metric';
import { shownPath } from '../figures';
import { htmlTable } from './page';
import type { Speech } from './speech';

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

/** Faults as a table. `images` maps file names to their markup. */
export function faultTable(
  faults: readonly PlacedFault[],
  images: ReadonlyMap<string, string> | undefined,
  speech: Speech,
): string {
  const columns = [
    { title: speech.say(say('export.lineColumn')), number: true },
    { title: speech.say(say('invariance.image')) },
    { title: speech.say(say('export.failureColumn')) },
    { title: speech.say(say('export.sizeColumn')), number: true },
  ];
  const rows = faults.map(({ message, size, row }) => [
    String(row.place ? row.place.line : row.row + 1),
    images?.get(row.image ?? '') ?? e(shownPath(row.image ?? '')),
    e(speech.say(message)),
    speech.say(size.toFixed(4)),
  ]);
  return htmlTable(columns, rows);
}
