import * as z from 'zod/mini';

/*
 * Keys that several kinds of evaluator files have.
 */

export const encoderRef = z
  .string()
  .check(z.describe('Id of an installed evaluator, or a path from this file that begins with ./ or ../.'));

export const captionPrefix = z.optional(z.string().check(z.describe('Put before every caption.')));

export const resampler = z.optional(
  z
    .enum(['pillow', 'torchvision'])
    .check(
      z.describe(
        "Whose resizing of images is followed; transformers 5's default processors use torchvision's.",
      ),
    ),
);

export const modelFolder = z.string().check(z.describe('Folder of the model.'));

export const fittedFrom = z.optional(z.string().check(z.describe('Where the numbers come from, in words.')));
