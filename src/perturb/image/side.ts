/** Finds an object's side of the image, if that side identifies the object among others of its kind. */
import type { Box } from './mask';

/** The phrase for each side, in the order in which the sides are tried. */
export const sideWords = {
  left: 'on the left',
  right: 'on the right',
  top: 'at the top',
  bottom: 'at the bottom',
} as const;
export type ImageSide = keyof typeof sideWords;
const sides = Object.keys(sideWords) as ImageSide[];

/** The minimum distance from the object's centre to the middle of the image, as a share of the width or height. */
const clearly = 0.05;

interface Place {
  x: number;
  y: number;
}

/** The side that has the object's centre at every place, and no part of another of its kind. */
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
      // A pixel's centre is half a pixel after its index.
      const at = (isAcross ? x : y) + 0.5;
      return isFirst ? at <= length / 2 - margin : at >= length / 2 + margin;
    });
    const isAlone = others.every(({ left, top, right, bottom }) =>
      isFirst ? (isAcross ? left : top) >= length / 2 : (isAcross ? right : bottom) <= length / 2,
    );
    return stays && isAlone;
  });
}
