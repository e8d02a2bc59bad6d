import * as z from 'zod/mini';
import { quickTest } from '../base/quickTest';
import type { Words } from '../base/say';
import { faultIn, wholeNumber } from '../base/schema';
import type { Row } from './metric';

export const placeSchema = z.object({
  line: wholeNumber,
  column: wholeNumber,
  offset: wholeNumber,
  length: wholeNumber,
  part: z.optional(z.string()),
});

/** The fields of every row. Probes extend the schema. */
export const rowSchema = z.object({
  example: z.string(),
  row: wholeNumber,
  place: z.optional(placeSchema),
  image: z.optional(z.string()),
  cluster: z.optional(z.string()),
  /** How many variants or settings of this row the evaluator gave no score. They are not in the row. */
  lost: z.optional(wholeNumber),
  /** The seed of the row's draw, if the run made several draws of the variants. */
  seed: z.optional(wholeNumber),
});

/** The fields of a row about one caption. */
export const captionRowSchema = z.extend(rowSchema, {
  /** The caption's index in its example, its column, and its place in the file. */
  caption: wholeNumber,
  field: z.string(),
  captionPlace: z.optional(placeSchema),
  /** The scored text, trimmed. */
  text: z.string(),
});

/** A range of characters, in UTF-16 units. */
export const spanSchema = z.readonly(z.tuple([wholeNumber, wholeNumber]));

/** Checks the rows of one probe. */
export interface RowCheck {
  readonly schema: z.ZodMiniType<Row>;
  fits(value: unknown): value is Row;
  /** Why a value is invalid, with the path to the invalid field. */
  fault(value: unknown): Words;
}

/** `holds`: a rule for rows of this schema. It completes "The value is not …". */
export function rowCheck<R extends Row>(
  fields: z.ZodMiniType<R>,
  rule?: { holds: (row: R) => boolean; expected: string },
): RowCheck {
  const quick = quickTest(fields);
  const schema = rule === undefined ? fields : fields.check(z.refine(rule.holds, rule.expected));
  return {
    schema,
    fits: (value): value is Row => quick(value) && (rule === undefined || rule.holds(value)),
    fault: (value) => faultIn(schema, value) ?? 'The row fits.',
  };
}
