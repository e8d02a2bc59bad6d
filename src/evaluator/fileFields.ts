import { described, optionalKey, wordsSchema } from '../base/schema';
import * as z from 'zod/mini';

/* Keys that several kinds of evaluator files share. */

export const encoderRef = described(
  z.string(),
  'Id of an installed evaluator, or a path relative to this file that begins with ./ or ../.',
);

export const captionPrefix = optionalKey(z.string(), 'Prefix of every caption.');

export const resampler = optionalKey(
  z.enum(['pillow', 'torchvision']),
  "Which library's image resizing to follow; the default processors of transformers 5 use torchvision's.",
);

export const modelFolder = described(z.string(), 'Model folder.');

export const fittedFrom = optionalKey(wordsSchema, 'The source of the numbers, as a text or a message.');
