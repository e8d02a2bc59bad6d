/* Makes a contact sheet of the worst examples: one per image, with captions and attribution. */
import { english } from '../../../base/english';
import { findSaid } from '../../../base/say';
import type { Frame, Kind } from '../../../chart/chart';
import type { Row } from '../../../probe/metric';
import { reporting } from '../../../probe/list';
import type { ImageSource } from '../../imageSource';
import { LeftOutRows } from '../../rowChecks';
import { joinedDraws } from '../../../probe/inference/joinedDraws';
import { readRows } from '../../rows';
import type { Entry } from '../entry';

interface Candidate {
  row: Row;
  sub: number;
  harm: number;
}

const kept = 12;
/** The longest side of an image in pixels: about half a column at 300 dpi. */
export const sheetSide = 512;

export async function worstSheet(entry: Entry, images: ImageSource): Promise<Kind<'sheet'>> {
  const worst = await worstImages(entry);
  const view = reporting(entry.report.probe).rows;
  const names = new Set(worst.flatMap(({ row, sub }) => view.line(row, sub).image ?? []));
  const attributions = await images.attributions(entry, names);
  const frames: Frame[] = [];
  for (const one of worst) frames.push(await frameOf(entry, one, images, attributions));
  return {
    type: 'sheet',
    title: `The worst examples of ${entry.dataset} for ${entry.evaluator}`,
    frames: frames.some(({ image }) => image !== undefined) ? frames : [],
  };
}

/** The worst candidate of each image, worst first. Only the worst candidates are kept in memory. */
async function worstImages({ path, report }: Entry): Promise<Candidate[]> {
  const view = reporting(report.probe).rows;
  let worst = new Map<string, Candidate>();
  const sift = () => {
    const sorted = [...worst].sort(([, a], [, b]) => b.harm - a.harm || a.row.row - b.row.row);
    worst = new Map(sorted.slice(0, kept));
  };
  for await (const row of joinedDraws(view, readRows(path, report, new LeftOutRows()))) {
    if (row.image === undefined) continue;
    for (const [sub, { harm, verdict, delta }] of view.facts(row).entries()) {
      const known = worst.get(row.image);
      // A line without a verdict that does no harm is no bad one, such as an edit that a probe does not count.
      if (verdict === 'right' || (verdict === 'none' && harm <= 0)) continue;
      if (delta === undefined || (known && known.harm >= harm)) continue;
      worst.set(row.image, { row, sub, harm });
    }
    if (worst.size > 20 * kept) sift();
  }
  sift();
  return [...worst.values()];
}

async function frameOf(
  { path, report }: Entry,
  { row, sub }: Candidate,
  images: ImageSource,
  attributions: ReadonlyMap<string, string>,
): Promise<Frame> {
  const { rows: view, columns } = reporting(report.probe);
  const { image: name, before, after, label, score, delta } = view.line(row, sub);
  // A probe of two images changes at most the first one.
  const transforms = name === row.image ? view.transforms?.(row, sub) : undefined;
  const image = await images.image({
    ...{ path, report, row: { ...row, ...(name === undefined ? {} : { image: name }) }, side: sheetSide },
    ...(transforms === undefined ? {} : { transforms }),
  });
  const attribution = name === undefined ? undefined : attributions.get(name);
  const line = view.fileLine(row);
  const scored = score === undefined ? {} : { score };
  const isOfFirst = columns.score !== undefined && findSaid(columns.score, 'probe.firstScore') !== undefined;
  return {
    ...(image === undefined ? {} : { image }),
    captions: [
      { label: english(columns.before), text: before, ...(isOfFirst ? scored : {}) },
      ...(after === before
        ? []
        : [{ label: english(columns.after), text: after, ...(isOfFirst ? {} : scored) }]),
    ],
    note: [
      english(label),
      ...(delta === undefined ? [] : [`${english(view.delta.head)} ${delta.toFixed(3).replace('-', '−')}`]),
      ...(line === undefined ? [] : [`line ${line}`]),
    ].join(' · '),
    ...(attribution === undefined ? {} : { attribution }),
  };
}
