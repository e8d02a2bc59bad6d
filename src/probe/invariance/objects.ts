import { wordsOf } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { largest } from '../../base/extent';
import type { Instance, Outlined } from '../../dataset/instances';
import { type Bitmap, type Box, boxOf, drawOutline } from '../../perturb/image/mask';
import { bins, type Category, type Rejection } from './row';
import { categoryOf } from './taxonomy';

const binEnds = [0.1, 0.2, 0.35, 0.5, 0.7, 0.9];

export function binOf(coverage: number): (typeof bins)[number] {
  const at = binEnds.findIndex((end) => coverage < end);
  return bins[at === -1 ? binEnds.length : at];
}

export interface Dominant {
  slice: 'single' | 'multi';
  label: string;
  category: Category;
  tied: boolean;
  box: readonly [number, number, number, number];
  coverage: number;
  /** The object's outline. Absent if the file has only the object's box. */
  bitmap?: Bitmap;
  /** Outlines of other objects that a move must not cover. */
  others: Bitmap[];
  /** Outlines of other objects and groups, of any size. Their boxes overlap or nearly touch this object's box. */
  near: Bitmap[];
  /** Of `near`, what the object may hold, or who may hold the object: one of the two is a person or an animal. */
  held: Bitmap[];
  /** Boxes of other objects of the same kind, including groups. */
  alike: Box[];
}

/** An object is prominent if its box has at least this share of the dominant box's area. */
const prominentShare = 0.25;
/** The object must cover at least this share of the image, because captions rarely mention smaller objects. */
const leastCoverage = 0.01;
/** The least share of an object's area in its largest piece. Less, and something may hide its middle. */
const leastPiece = 0.9;
const mostOverlap = { single: 0.1, multi: 0.5 };
/** A moved object must not cover objects with at least this share of the image. */
const salientShare = 0.005;

/** An image's dominant object, or the first reason why the image cannot be used. */
export function dominantOf(image: Outlined | undefined): { object?: Dominant; rejected: Rejection[] } {
  const reject = (reason: Words, detail?: Words): { rejected: Rejection[] } => ({
    rejected: [{ what: 'the image', reason, ...(detail === undefined ? {} : { detail }) }],
  });
  if (image === undefined) return reject(say('invariance.objectsUnknown'));
  const { width, height, instances } = image;
  const whole = width * height;
  const boxArea = ({ box }: Instance): number => box[2] * box[3];
  const single = instances.filter(({ crowd }) => !crowd);
  if (single.length === 0) return reject(say('invariance.noOutlinedObject'));
  const dominant = single.reduce((most, other) => (boxArea(other) > boxArea(most) ? other : most));
  const coverage = Math.min(1, boxArea(dominant) / whole);
  if (coverage < leastCoverage) return reject(say('invariance.objectTooSmall'));
  const placed = categoryOf(dominant.label);
  if (placed === undefined) return reject(say('invariance.objectWithoutCategory'), dominant.label);
  const piece = largestPiece(dominant);
  if (piece < leastPiece)
    return reject(
      say('invariance.outlineInParts'),
      say('invariance.largestPartShare', (piece * 100).toFixed(0)),
    );
  const prominent = single.filter((other) => boxArea(other) >= prominentShare * boxArea(dominant)).length;
  if (prominent > 4) return reject(say('invariance.tooManyObjects'), `${prominent}`);
  const slice = prominent === 1 ? 'single' : 'multi';
  const overlap = Math.max(
    0,
    largest(
      instances.filter((other) => other !== dominant).map((other) => overlapOf(dominant.box, other.box)),
    ),
  );
  if (overlap >= mostOverlap[slice])
    return reject(
      slice === 'single' ? say('invariance.boxesOverlap') : say('invariance.boxesOverlapByHalf'),
      say('invariance.boxOverlap', overlap.toFixed(2)),
    );
  const draw = ({ outline }: Instance): Bitmap[] =>
    outline === undefined ? [] : [drawOutline(outline, width, height)];
  let bitmap: Bitmap | undefined;
  try {
    bitmap = draw(dominant)[0];
    if (bitmap !== undefined && boxOf(bitmap) === undefined) return reject(say('invariance.outlineEmpty'));
    const others = single
      .filter((other) => other !== dominant && boxArea(other) >= salientShare * whole)
      .flatMap(draw);
    const close = instances.filter((other) => other !== dominant && isNear(dominant.box, other.box));
    const near = close.flatMap(draw);
    const held = close.filter((other) => isAlive(dominant) || isAlive(other)).flatMap(draw);
    const alike = instances
      .filter((other) => other !== dominant && other.label === dominant.label)
      .map(({ box: [left, top, wide, high] }) => ({ left, top, right: left + wide, bottom: top + high }));
    const { box, label } = dominant;
    const object: Dominant = { slice, label, ...placed, box, coverage, others, near, held, alike };
    if (bitmap !== undefined) object.bitmap = bitmap;
    return { object, rejected: [] };
  } catch (error) {
    return reject(say('invariance.outlineInvalid'), wordsOf(error));
  }
}

function isAlive({ label }: Instance): boolean {
  return /^(person|animal)$/.test(categoryOf(label)?.category ?? '');
}

export function overlapOf(
  a: readonly [number, number, number, number],
  b: readonly [number, number, number, number],
): number {
  const across = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (across <= 0 || down <= 0) return 0;
  const shared = across * down;
  return shared / (a[2] * a[3] + b[2] * b[3] - shared);
}

/** The largest width in pixels of the filled area around a moved object. */
const nearby = 24;

function isNear(
  a: readonly [number, number, number, number],
  b: readonly [number, number, number, number],
): boolean {
  return (
    a[0] - nearby <= b[0] + b[2] &&
    b[0] <= a[0] + a[2] + nearby &&
    a[1] - nearby <= b[1] + b[3] &&
    b[1] <= a[1] + a[3] + nearby
  );
}

/** The largest polygon's share of the object's area. A partly hidden object may have several polygons. */
function largestPiece({ outline }: Instance): number {
  if (outline === undefined || !('polygons' in outline) || outline.polygons.length === 0) return 1;
  const areas = outline.polygons.map((points) => {
    let twice = 0;
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      twice += points[i] * points[next + 1] - points[next] * points[i + 1];
    }
    return Math.abs(twice) / 2;
  });
  const all = areas.reduce((sum, area) => sum + area, 0);
  return all === 0 ? 1 : largest(areas) / all;
}

/**
 * Whether the object stays inside the image after a rotation about the image's centre. The check uses the first
 * and the last pixel of the object in each row of pixels, or the corners of its box if it has no outline.
 */
export function staysWhole(object: Dominant, width: number, height: number, degrees: number): boolean {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  return outermost(object).every(([x, y]) => {
    const toX = middleX + cos * (x - middleX) + sin * (y - middleY);
    const toY = middleY - sin * (x - middleX) + cos * (y - middleY);
    return toX >= -0.5 && toY >= -0.5 && toX <= width - 0.5 && toY <= height - 0.5;
  });
}

function outermost({ bitmap, box }: Dominant): [number, number][] {
  const [left, top, wide, high] = box;
  if (bitmap === undefined) {
    const [right, bottom] = [left + wide - 1, top + high - 1];
    return [
      [left, top],
      [right, top],
      [left, bottom],
      [right, bottom],
    ];
  }
  const points: [number, number][] = [];
  for (let y = 0; y < bitmap.height; y++) {
    const row = bitmap.data.subarray(y * bitmap.width, (y + 1) * bitmap.width);
    const first = row.indexOf(1);
    if (first !== -1) points.push([first, y], [row.lastIndexOf(1), y]);
  }
  return points;
}

/** Objects closer to the image's edge than this many pixels touch it, because outlines are inexact. */
const edgeSlack = 3;

/** Whether the object touches the image's edge. The edge may then cut it off, which a move would make visible. */
export function touchesEdge({ bitmap }: Dominant): boolean {
  const box = bitmap === undefined ? undefined : boxOf(bitmap);
  if (bitmap === undefined || box === undefined) return false;
  const { left, top, right, bottom } = box;
  return Math.min(left, top, bitmap.width - right, bitmap.height - bottom) < edgeSlack;
}
