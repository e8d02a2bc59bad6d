/* Makes a contact sheet of flips that one evaluator catches and another prefers: Figure 3 of LGIP. */
import type { Frame, Kind } from '../../../chart/chart';
import { disputedFlips, type DisputedFlip } from '../../../probe/lgip/sideBySide';
import type { LgipRow } from '../../../probe/lgip/row';
import type { ImageSource } from '../../imageSource';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import type { Entry } from '../entry';
import { sheetSide } from './worst';

/** As many as in the paper's figure. */
const kept = 4;

/** Undefined if the evaluators agree about every flip. */
export async function examplesSheet(
  own: readonly Entry[],
  images: ImageSource,
): Promise<Kind<'sheet'> | undefined> {
  const { flips: found } = await disputedFlips(
    own.map(({ evaluator, path, report }) => ({
      name: evaluator,
      rows: () => readRows(path, report, new LeftOutRows()) as AsyncIterable<LgipRow>,
    })),
    Infinity,
  );
  if (found.length === 0) return undefined;
  const flips = [
    ...new Map(found.toReversed().map((one) => [one.row.image ?? one.row.example, one])).values(),
  ]
    .toReversed()
    .slice(0, kept);
  const [first] = own;
  const names = new Set(flips.flatMap(({ row }) => row.image ?? []));
  const attributions = await images.attributions(first, names);
  const frames: Frame[] = [];
  for (const flip of flips) {
    const image = await images.image({
      path: first.path,
      report: first.report,
      row: flip.row,
      side: sheetSide,
    });
    const attribution = flip.row.image === undefined ? undefined : attributions.get(flip.row.image);
    frames.push({
      ...(image === undefined ? {} : { image }),
      ...textsOf(flip, own),
      ...(attribution === undefined ? {} : { attribution }),
    });
  }
  return {
    type: 'sheet',
    title: `Flips of ${first.dataset} that one evaluator catches and another prefers`,
    frames,
  };
}

/** The captions and each evaluator's scores of both. The change of words is the note. */
function textsOf(
  { row, flip, scores }: DisputedFlip,
  own: readonly Entry[],
): Pick<Frame, 'captions' | 'note'> {
  const number = (value: number): string => value.toFixed(3).replace('-', '−');
  return {
    captions: [
      { label: 'caption', text: row.text },
      { label: 'flip', text: flip.text },
      ...scores.map(({ caption, flip: flipped }, i) => ({
        label: own[i].evaluator,
        text: `${number(caption)}, flip ${number(flipped)}${flipped > caption ? ' (prefers the flip)' : ''}`,
      })),
    ],
    note: `${row.text.slice(...flip.was)} → ${flip.text.slice(...flip.span)}`,
  };
}
