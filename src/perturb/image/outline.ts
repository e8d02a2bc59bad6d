import { bitmapOf, type Mask } from './mask';

/** The edge of a mask as an SVG path: the sides between object and background, joined to straight lines. */
export function outlineOf(mask: Mask): string {
  const { width, height, data } = bitmapOf(mask);
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
  const parts: string[] = [];
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x < width; x++) {
      if (inside(x, y) === inside(x, y - 1)) continue;
      const from = x;
      while (x < width && inside(x, y) !== inside(x, y - 1)) x++;
      parts.push(`M${from} ${y}H${x}`);
    }
  }
  for (let x = 0; x <= width; x++) {
    for (let y = 0; y < height; y++) {
      if (inside(x, y) === inside(x - 1, y)) continue;
      const from = y;
      while (y < height && inside(x, y) !== inside(x - 1, y)) y++;
      parts.push(`M${x} ${from}V${y}`);
    }
  }
  return parts.join('');
}
