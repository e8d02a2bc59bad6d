/* How many draws of the variants a run makes. All ways to start a run decide here, by the whole dataset. */
import type { Caption } from '../../dataset/example';
import type { Dataset } from '../../dataset/dataset';
import type { OptionValue, PairProbe, ProbeBase } from '../../probe/probe';
import type { DatasetRequest } from './datasetRequest';

/** With fewer captions, the interval of one draw is wide enough for several draws to matter. */
const captionsOfLargeSet = 1000;
const drawsOfSmallSet = 5;

/** The draws of a run. Absent fields: the seed decides no variants, or the user named the number. */
export interface Draws {
  draws?: number;
  defaultDraws?: true;
}

/** Whether a caption counts for the size of a dataset. */
export function isCounted({ role }: Caption): boolean {
  return role === 'caption' || role === 'candidate';
}

/** How many draws a run of this many captions makes by default. */
export function drawsOfSize(captions: number): number {
  return captions < captionsOfLargeSet ? drawsOfSmallSet : 1;
}

type Drawing = ProbeBase & Partial<Pick<PairProbe, 'isDrawn'>>;

/** The draws of one probe: as many as the user named, else five if the run reads fewer than 1,000 captions. */
export async function drawsFor(
  probe: Drawing,
  options: Readonly<Record<string, OptionValue>>,
  { draws, limit = Infinity, signal }: Pick<DatasetRequest, 'draws' | 'limit' | 'signal'>,
  dataset: Pick<Dataset, 'read'>,
): Promise<Draws> {
  if (probe.isDrawn === undefined) return {};
  if (draws !== undefined) return { draws };
  let [examples, captions, drawn] = [0, 0, false];
  for await (const example of dataset.read({ signal })) {
    if (examples++ === limit) break;
    for (const caption of example.captions) {
      if (!isCounted(caption)) continue;
      drawn ||= probe.isDrawn(caption, options);
      if (++captions === captionsOfLargeSet) return { draws: 1, defaultDraws: true };
    }
  }
  return drawn ? { draws: drawsOfSize(captions), defaultDraws: true } : {};
}

/** The seeds of several draws; undefined for one draw. */
export function seedsOf({ draws = 1 }: Draws, seed: number): readonly number[] | undefined {
  return draws < 2 ? undefined : Array.from({ length: draws }, (_, draw) => seed + draw);
}
