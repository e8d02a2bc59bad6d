import { wordsSchema } from '../base/schema';
import * as z from 'zod/mini';

/* Keys that several kinds of evaluator files share. */

export const encoderRef = z
  .string()
  .check(
    z.describe('Id of an installed evaluator, or a path relative to this file that begins with ./ or ../.'),
  );

export const captionPrefix = z.optional(z.string().check(z.describe('Prefix of every caption.')));

export const resampler = z.optional(
  z
    .enum(['pillow', 'torchvision'])
    .check(
      z.describe(
        "Which library's image resizing to follow; the default processors of transformers 5 use torchvision's.",
      ),
    ),
);

export const modelFolder = z.string().check(z.describe('Model folder.'));

export const fittedFrom = z.optional(
  wordsSchema.check(z.describe('The source of the numbers, as a text or a message.')),
);
