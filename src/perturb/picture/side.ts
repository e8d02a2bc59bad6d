/** On which side of an image an object is, where that tells it from others of its kind. */
import type { Box } from './mask';

/** The words of each side, in the order in which they are tried. */
export const sideWords = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
} as const;
export type ImageSide = keyof typeof sideWords;
const sides = Object.keys(sideWords) as ImageSide[];

/** The share of the width or height by which the object's centre must be away from the middle. */
const clearly = 0.05;

interface Place {
  x: number;
  y: number;
}

/**
 * The side on which the object is at each of its places, if the boxes of all others of its kind are on the
 * other side. Otherwise undefined.
 */
export function sideThatStays(
  places: readonly Place[],
  others: readonly Box[],
  { width, height }: { width: number; height: number },
): ImageSide | undefined {
  return sides.find((side) => {
    const isAcross = side === 'left' || side === 'right';
    const isFirst = side === 'left' || side === 'top';
    const length = isAcross ? width : height;
    const margin = clearly * length;
    const stays = places.every(({ x, y }) => {
      // The centre of a pixel lies half a pixel after its index.
      const at = (isAcross ? x : y) + 0.5;
      return isFirst ? at <= length / 2 - margin : at >= length / 2 + margin;
    });
    const isAlone = others.every(({ left, top, right, bottom }) =>
      isFirst ? (isAcross ? left : top) >= length / 2 : (isAcross ? right : bottom) <= length / 2,
    );
    return stays && isAlone;
  });
}
