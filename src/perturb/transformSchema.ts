import * as z from 'zod/mini';
import { between } from '../base/quickTest';
import { wholeNumber } from '../base/schema';
import { fills } from './image/fill';

/* Schemas of transforms in reports. Values have limits, because a report may be untrusted. */

/** The largest blur and feather, in pixels. Larger values would take too long. */
const widest = 64;
/** Two images are resized to squares before they are mixed. A square's side may have at most this many pixels. */
const longestSide = 4096;
const mostPixels = 100_000_000;

const share = between(z.number(), 0, 1);
const upTo = between(z.number(), 0, widest);

const maskFields = z.object({
  width: wholeNumber,
  height: wholeNumber,
  runs: z.readonly(z.array(wholeNumber)),
});

/** Row checks need this rule, too, because their quick test leaves out rules in code. */
export function isMaskWithin({ width, height, runs }: z.infer<typeof maskFields>): boolean {
  const pixels = width * height;
  return pixels <= mostPixels && runs.reduce((sum, run) => sum + run, 0) <= pixels;
}

export const maskSchema = maskFields.check(
  z.refine(isMaskWithin, `a mask whose runs fit into an image of at most ${mostPixels} pixels`),
);

const other = z.object({ path: z.string(), sha256: z.string() });
const square = { other, side: between(z.int(), 0, longestSide, 'an integer of 0 or more'), lambda: share };
export const mixSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('mix'), ...square }),
  z.object({ op: z.literal('patch'), ...square, x: z.int(), y: z.int() }),
]);

const imageTransforms = [
  z.object({ op: z.literal('hflip') }),
  z.object({ op: z.literal('vflip') }),
  z.object({ op: z.literal('rotate'), degrees: z.number() }),
  z.object({ op: z.literal('blur'), sigma: upTo }),
] as const;

/** Transforms that need only the image. A move also needs an object. */
export const imageTransformSchema = z.discriminatedUnion('op', imageTransforms);

/** Transforms in the rows of a report. A move has no mask here, because the row's object has the mask. */
export const rowTransformSchema = z.discriminatedUnion('op', [
  ...imageTransforms,
  z.object({
    op: z.literal('move'),
    dx: z.int(),
    dy: z.int(),
    tries: wholeNumber,
    fill: z.enum(fills),
    feather: upTo,
    plain: z.optional(share),
  }),
]);
