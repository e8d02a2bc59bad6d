import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { type Bitmap, drawOutline, type Outline } from '../perturb/image/mask';

/** An annotated object of an image. */
interface Annotated {
  label: string;
  /** x, y, width, height, in pixels. */
  box: readonly [number, number, number, number];
  outline?: Outline;
}

/** The pixels of an annotated object. Without an outline, those of its box. */
export function bitmapFor(
  { label, outline, box: [x, y, wide, high] }: Annotated,
  width: number,
  height: number,
): Bitmap {
  const corners = [x, y, x + wide, y, x + wide, y + high, x, y + high];
  try {
    return drawOutline(outline ?? { polygons: [corners] }, width, height);
  } catch (error) {
    throw new CaptiousError('input', say('explain.outlineInvalid', label, wordsOf(error)), {
      remedy: say('explain.gridInstead'),
    });
  }
}
