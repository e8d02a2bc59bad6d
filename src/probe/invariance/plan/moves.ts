/** Moves an image's object to the four quadrants, each with a caption that stays true. */
import type { Random } from '../../../base/random';
import { type Bitmap, centroidOf } from '../../../perturb/picture/mask';
import { type Anchor, anchors, placeAt } from '../../../perturb/picture/place';
import { sideThatStays, sideWords } from '../../../perturb/picture/side';
import { withPlace } from '../../../perturb/society/caption';
import { type Dominant, touchesEdge } from '../objects';
import type { InvarianceOptions } from '../options';
import type { InvarianceRow, RowTransform } from '../row';

export interface PlannedMove {
  anchor: Anchor;
  transform: RowTransform;
  /** The caption of both images, if not the row's own. */
  described?: string;
}

type Row = Pick<InvarianceRow, 'text' | 'source' | 'rejected'>;

/** Rejected moves are added to `row.rejected`. */
export function movesOf(
  row: Row,
  object: Dominant,
  options: InvarianceOptions,
  randomFor: (anchor: Anchor) => Random,
): PlannedMove[] {
  const { fill, feather, leastMove } = options;
  const { bitmap, others } = object;
  const none = (what: string, reason: string): PlannedMove[] => {
    row.rejected.push({ what, reason });
    return [];
  };
  if (bitmap === undefined) return none('reposition', 'the object has a box, but no outline');
  if (touchesEdge(object)) return none('reposition', 'the edge of the image cuts the object off');
  return anchors.flatMap((anchor) => {
    const place = placeAt(anchor, bitmap, others, randomFor(anchor), leastMove);
    if (!place.ok) return none(`reposition ${anchor}`, place.reason);
    const { dx, dy, tries } = place;
    const described = descriptionOf(row, object, bitmap, place, options);
    if (described === null)
      return none(
        `reposition ${anchor}`,
        'no side of the image tells it from others of its kind both before and after the move',
      );
    const transform: RowTransform = { op: 'move', dx, dy, tries, fill, feather };
    return [{ anchor, transform, ...(described === undefined ? {} : { described }) }];
  });
}

/** A caption that is true before and after the move. undefined: the plain caption; null: leave out the move. */
function descriptionOf(
  { source, text }: Row,
  { alike }: Dominant,
  bitmap: Bitmap,
  { dx, dy }: { dx: number; dy: number },
  { descriptor }: InvarianceOptions,
): string | undefined | null {
  if (descriptor === 'never' || source === 'dataset' || alike.length === 0) return undefined;
  const { x, y } = centroidOf(bitmap);
  const places = [
    { x, y },
    { x: x + dx, y: y + dy },
  ];
  const side = sideThatStays(places, alike, bitmap);
  if (side !== undefined) return withPlace(text, sideWords[side]);
  return descriptor === 'leaveOut' ? null : undefined;
}
