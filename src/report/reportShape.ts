import * as z from 'zod/mini';
import { parsed, scalarValue, wholeNumber } from '../base/schema';

export const reportSchema = 'captious/report@1';

/** Checks a value from outside; throws a ShapeError that names the place where it is no report. */
export function parseReport(value: unknown): z.infer<typeof reportFileSchema> {
  return parsed(reportFileSchema, value);
}

/** A name and nothing but a name: rows lie in their report's folder and nowhere else. */
const fileName = z.string().check(
  z.describe('Name of the rows file beside this one.'),
  z.refine((name) => !/[/\\\0]/.test(name) && name !== '..', 'the name of a file beside the report'),
);

const scale = z.discriminatedUnion('name', [
  z.object({ name: z.literal('cosine') }),
  z.object({ name: z.literal('clipped'), weight: z.number() }),
  z.object({ name: z.literal('sigmoid'), factor: z.number(), bias: z.number() }),
  z.object({ name: z.literal('own'), low: z.optional(z.number()), high: z.optional(z.number()) }),
]);

const evaluator = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['text-encoder', 'dual-encoder', 'pair-scorer', 'judge', 'scores']),
  path: z.optional(z.string()),
  sha256: z.string(),
  scores: z.readonly(z.array(z.enum(['text-text', 'image-text', 'image-image']))),
  dimension: z.optional(wholeNumber),
  precision: z.string(),
  provider: z.string(),
  scale,
  prefix: z.string(),
  notes: z.readonly(z.array(z.string())),
  textKey: z.optional(z.string()),
  imageKey: z.optional(z.string()),
  pairKey: z.optional(z.string()),
});

/** Entries that took no part, under one reason. */
const leftOut = z.object({
  reason: z.string(),
  count: wholeNumber,
  /** Lines of the first few, where the format has lines. */
  lines: z.array(wholeNumber),
});

const metric = z.object({
  id: z.string().check(z.describe('What was measured, such as visla.t2t.')),
  value: z.nullable(z.number()).check(z.describe('null where it is not defined.')),
  n: wholeNumber.check(z.describe('How many examples it is over.')),
  ties: z.optional(z.number()),
  ci: z.optional(z.readonly(z.tuple([z.number(), z.number()])).check(z.describe('95 % interval.'))),
  slice: z.optional(
    z
      .readonly(z.record(z.string(), scalarValue))
      .check(z.describe('The part of the examples it is over; absent: all.')),
  ),
  moot: z.optional(
    z.boolean().check(z.describe('The value is true and tells nothing here; the note says why.')),
  ),
  note: z.optional(z.string()),
});

/** The value that leaves: one probe, one dataset, one evaluator, and all that is needed to make it again. */
export const reportFileSchema = z.object({
  schema: z.literal(reportSchema),
  probe: z.string().check(z.describe('Which probe asked.')),
  dataset: z.object({
    path: z.string(),
    sha256: z.string(),
    format: z.string(),
    examples: wholeNumber.check(z.describe('Examples that took part.')),
    skipped: wholeNumber.check(z.describe('Entries that did not; leftOut says why.')),
    leftOut: z.array(leftOut),
  }),
  evaluator: evaluator.check(z.describe('What was audited.')),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  seed: wholeNumber,
  limit: z.optional(wholeNumber.check(z.describe('Only the first so many examples of the file were read.'))),
  together: z.optional(
    z
      .array(z.string())
      .check(z.describe('Evaluators that shaped the variants together, where there were several.')),
  ),
  claims: z
    .array(z.object({ text: z.string(), rule: z.string() }))
    .check(z.describe('What the metrics say in words, each with the rule by which an interval earned it.')),
  metrics: z.array(metric),
  rows: fileName,
  rowCount: wholeNumber.check(z.describe('How many lines the rows file has.')),
  rowsSha256: z.string().check(z.describe('SHA-256 of the rows file.')),
  warnings: z.array(z.string()),
  versions: z.record(z.string(), z.string()),
});
