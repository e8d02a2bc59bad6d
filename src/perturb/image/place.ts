import { say, type Words } from '../../base/say';
import type { Random } from '../../base/random';
import { boxOf, centroidOf, type Bitmap } from './mask';

export const anchors = ['tl', 'tr', 'bl', 'br'] as const;
export type Anchor = (typeof anchors)[number];

export type Placement = { ok: true; dx: number; dy: number; tries: number } | { ok: false; reason: Words };

/** How many places are tried per anchor before the anchor is skipped. */
const mostTries = 10;
/** The largest share of another object that the moved object may cover. */
const mostHidden = 0.1;

/**
 * Finds a place that moves the object by at least `leastMove`, a share of the image's diagonal. Tries the centre of
 * a quadrant first (Algorithm 1 of the paper), then random places closer to the image's centre.
 */
export function placeAt(
  anchor: Anchor,
  object: Bitmap,
  others: readonly Bitmap[],
  random: Random,
  leastMove = 0,
): Placement {
  const { width, height } = object;
  const box = boxOf(object);
  if (box === undefined) return { ok: false, reason: say('perturb.maskEmpty') };
  const from = centroidOf(object);
  const centre = { x: (width - 1) / 2, y: (height - 1) / 2 };
  const corner = {
    x: (anchor.endsWith('l') ? width / 4 : (3 * width) / 4) - 0.5,
    y: (anchor.startsWith('t') ? height / 4 : (3 * height) / 4) - 0.5,
  };
  const obstacles = others.map((other) => ({
    data: other.data,
    area: other.data.reduce((a, b) => a + b, 0),
  }));
  const least = leastMove * Math.hypot(width, height);
  let sticksOut = 0;
  let tooNear = 0;
  for (let tries = 1; tries <= mostTries; tries++) {
    const inwards = (tries - 1) / mostTries;
    // The first try is exactly at the anchor.
    const jitter = (): number => (tries === 1 ? 0 : (random.uniform() - 0.5) / mostTries);
    const shareX = inwards + jitter();
    const shareY = inwards + jitter();
    const dx = Math.round(corner.x + (centre.x - corner.x) * shareX - from.x);
    const dy = Math.round(corner.y + (centre.y - corner.y) * shareY - from.y);
    if (Math.hypot(dx, dy) < least) {
      tooNear++;
      continue;
    }
    if (box.left + dx < 0 || box.top + dy < 0 || box.right + dx > width || box.bottom + dy > height) {
      sticksOut++;
      continue;
    }
    if (!hides(object, dx, dy, obstacles)) return { ok: true, dx, dy, tries };
  }
  if (tooNear > 0)
    return {
      ok: false,
      reason: say('perturb.moveTooShort', Math.round(leastMove * 100)),
    };
  return {
    ok: false,
    reason:
      sticksOut === mostTries
        ? say('perturb.moveLeavesImage', mostTries)
        : say('perturb.moveLeavesOrCovers', mostTries),
  };
}

function hides(
  { width, data }: Bitmap,
  dx: number,
  dy: number,
  obstacles: readonly { data: Uint8Array; area: number }[],
): boolean {
  const by = dy * width + dx;
  return obstacles.some(({ data: other, area }) => {
    let hidden = 0;
    for (let i = 0; i < data.length; i++) if (data[i] !== 0 && other[i + by] === 1) hidden++;
    return hidden > mostHidden * area;
  });
}
