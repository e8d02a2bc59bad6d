import type { Metric, Row } from '../../../probe/probe';
import type { Report } from '../../report';
import { notOf } from '../../rows';
import { bars } from '../chart';
import { invarianceCharts } from './invariance';
import { barsOf } from './bars';
import { lgipPictures } from './lgip';
import { prsmPictures } from './prsm';
import { rococoPictures } from './rococo';
import { vislaPictures } from './visla';

/** What a probe draws of its own, as markup; rows are those of that probe. */
type Painter = (report: Report, rows: AsyncIterable<never>) => Promise<string[]>;

const painters: Readonly<Record<string, Painter>> = {
  lgip: lgipPictures,
  visla: vislaPictures,
  rococo: rococoPictures,
  prsm: prsmPictures,
  invariance: invarianceCharts,
};

/** The pictures of a report: what its probe draws, and every figure that is cut by a slice as bars. */
export async function picturesOf(report: Report, rows: AsyncIterable<Row>): Promise<string[]> {
  const paint = Object.hasOwn(painters, report.probe) ? painters[report.probe] : undefined;
  let last: Row | undefined;
  async function* watched(): AsyncGenerator<Row> {
    for await (const row of rows) yield (last = row);
  }
  let own: string[] = [];
  try {
    if (paint !== undefined) own = await paint(report, watched() as AsyncIterable<never>);
  } catch (cause) {
    // Rows are written by others: a row that is no row of this probe is no defect.
    if (!(cause instanceof TypeError) || last === undefined) throw cause;
    throw notOf(report.probe, last, cause);
  }
  // An audit's slices are hundreds; the table has them.
  return report.probe === 'invariance' ? own : [...own, ...slicePictures(report.metrics)];
}

function slicePictures(metrics: readonly Metric[]): string[] {
  const groups = new Map<string, Metric[]>();
  for (const metric of metrics) {
    const keys = Object.keys(metric.slice ?? {});
    if (keys.length !== 1) continue;
    const key = `${metric.id} by ${keys[0]}`;
    groups.set(key, [...(groups.get(key) ?? []), metric]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .map(([title, group]) =>
      bars(
        title,
        barsOf(group, (metric) => String(Object.values(metric.slice!)[0])),
      ),
    );
}
