import { wordsSchema } from '../base/schema';
import * as z from 'zod/mini';

/** A key with a description, which editors show. */
export function describedKey<S extends z.ZodMiniType>(schema: S, about: string): S {
  return schema.check(z.describe(about));
}

export function optionalKey<S extends z.ZodMiniType>(schema: S, about: string): z.ZodMiniOptional<S> {
  return z.optional(describedKey(schema, about));
}

/* Keys that several kinds of evaluator files share. */

export const encoderRef = describedKey(
  z.string(),
  'Id of an installed evaluator, or a path relative to this file that begins with ./ or ../.',
);

export const captionPrefix = optionalKey(z.string(), 'Prefix of every caption.');

export const resampler = optionalKey(
  z.enum(['pillow', 'torchvision']),
  "Which library's image resizing to follow; the default processors of transformers 5 use torchvision's.",
);

export const modelFolder = z.string().check(z.describe('Model folder.'));

export const fittedFrom = optionalKey(wordsSchema, 'The source of the numbers, as a text or a message.');
