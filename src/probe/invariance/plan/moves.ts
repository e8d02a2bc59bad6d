/** Plans moves of an object to the four quadrants, with captions that are true before and after. */
import { say, type Words } from '../../../base/say';
import type { Random } from '../../../base/random';
import type { Fill } from '../../../perturb/image/fill';
import { type Bitmap, centroidOf } from '../../../perturb/image/mask';
import { holeOf } from '../../../perturb/image/move';
import { type Anchor, anchors, placeAt } from '../../../perturb/image/place';
import { sideThatStays, sideWords } from '../../../perturb/image/side';
import { withPlace } from '../../../perturb/society/caption';
import { type Dominant, touchesEdge } from '../objects';
import type { InvarianceOptions } from '../options';
import type { InvarianceRow, RowTransform } from '../row';

export interface PlannedMove {
  anchor: Anchor;
  transform: RowTransform;
  /** A caption for both the original and the changed image. Undefined if both have the row's caption. */
  described?: string;
}

type Row = Pick<InvarianceRow, 'text' | 'source' | 'rejected'>;

/** The moves that are possible. Adds the reasons against the others to `row.rejected`. */
export function movesOf(
  row: Row,
  object: Dominant,
  options: InvarianceOptions,
  randomFor: (anchor: Anchor) => Random,
): PlannedMove[] {
  const { fill, feather, leastMove } = options;
  const { bitmap, others, near } = object;
  // If `limit` is empty, objects are moved whatever their surroundings look like.
  const limit = options.plain < 1 ? { plain: options.plain } : {};
  const none = (what: string, reason: Words): PlannedMove[] => {
    row.rejected.push({ what, reason });
    return [];
  };
  if (bitmap === undefined) return none('reposition', say('invariance.boxWithoutOutline'));
  if (touchesEdge(object)) return none('reposition', say('invariance.objectAtImageEdge'));
  if (limit.plain !== undefined && touches(bitmap, near, fill))
    return none('reposition', say('invariance.touchesObject'));
  if (limit.plain !== undefined && touches(bitmap, object.held, fill, 0))
    return none('reposition', say('invariance.touchesLivingBeing'));
  return anchors.flatMap((anchor) => {
    const place = placeAt(anchor, bitmap, others, randomFor(anchor), leastMove);
    if (!place.ok) return none(`reposition ${anchor}`, place.reason);
    const { dx, dy, tries } = place;
    const described = descriptionOf(row, object, bitmap, place, options);
    if (described === null) return none(`reposition ${anchor}`, say('invariance.noSideForMove'));
    const transform: RowTransform = { op: 'move', dx, dy, tries, fill, feather, ...limit };
    return [{ anchor, transform, ...(described === undefined ? {} : { described }) }];
  });
}

/** The largest share of an object's filled margin that other objects may cover. */
const mostTouched = 0.1;

function touches(object: Bitmap, near: readonly Bitmap[], fill: Fill, most = mostTouched): boolean {
  if (near.length === 0) return false;
  let [margin, covered] = [0, 0];
  for (const [i, isFilled] of holeOf(object, fill).data.entries()) {
    if (isFilled === 0 || object.data[i] !== 0) continue;
    margin++;
    if (near.some(({ data }) => data[i] !== 0)) covered++;
  }
  return covered > most * margin;
}

/** A caption true before and after the move; undefined for the row's own, null to leave out the move. */
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
