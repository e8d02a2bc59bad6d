import * as z from 'zod/mini';
import type { Code } from '../base/say';
import { described, optionalKey, parsed, scalarValue, wholeNumber, wordsSchema } from '../base/schema';

export const reportSchema = 'captious/report@2';

/** Checks a report file's content. Throws a ShapeError that names the invalid place. */
export function parseReport(value: unknown): z.infer<typeof reportFileSchema> {
  return parsed(reportFileSchema, fromFormer(value));
}

/** In 0.2.0, RoCOCO's options and slices said pictures. The messages of @1 are English texts and shown unchanged. */
function fromFormer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('schema' in value)) return value;
  const report = value.schema === 'captious/report@1' ? { ...value, schema: reportSchema } : value;
  if (!('probe' in report) || report.probe !== 'rococo') return report;
  return JSON.parse(JSON.stringify(report), (key, inner: unknown) =>
    key === 'options' || key === 'slice' ? renamed(inner) : inner,
  );
}

function renamed(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const present: Record<string, string> = { pictures: 'images', pictureSeeds: 'imageSeeds' };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [present[key] ?? key, value]));
}

/** A file name without folders, because a report's rows are in the report's folder. */
const fileName = z
  .string()
  .check(
    z.refine((name) => !/[/\\\0]/.test(name) && name !== '..', 'report.nameInSameFolder' satisfies Code),
  );

const scale = z.discriminatedUnion('name', [
  z.object({ name: z.literal('cosine') }),
  z.object({ name: z.literal('clipped'), weight: z.number() }),
  z.object({ name: z.literal('sigmoid'), factor: z.number(), bias: z.number() }),
  z.object({ name: z.literal('own'), low: z.optional(z.number()), high: z.optional(z.number()) }),
]);

export const evaluatorSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['text-encoder', 'dual-encoder', 'pair-scorer', 'judge', 'scores']),
  path: z.optional(z.string()),
  sha256: z.string(),
  scores: z.readonly(z.array(z.enum(['text-text', 'image-text', 'image-image']))),
  dimension: z.optional(wholeNumber),
  precision: z.string(),
  draft: optionalKey(
    z.boolean(),
    'Whether the folder of the model also has its graphs in float32, so that the metrics are a draft.',
  ),
  provider: z.string(),
  scale,
  prefix: z.string(),
  notes: z.readonly(z.array(wordsSchema)),
  textKey: z.optional(z.string()),
  imageKey: z.optional(z.string()),
  pairKey: z.optional(z.string()),
});

/** Examples that were left out for one reason. */
const leftOut = z.object({
  reason: wordsSchema,
  count: wholeNumber,
  /** Line numbers in the dataset file, for the first few examples; empty in formats without lines. */
  lines: described(
    z.array(z.union([wholeNumber, z.string()])),
    'Lines of the dataset file; FILE:LINE if the dataset has several files.',
  ),
  /** Set if the evaluator gave no score or an image was not found. Absent if the dataset or an option is the reason. */
  unscored: z.optional(z.literal(true)),
});

/** What could not be measured because the evaluator gave no score. */
const lost = described(
  z.object({
    variants: described(wholeNumber, 'Variants, or settings of an example, that were left out.'),
    captions: described(wholeNumber, 'Captions that were left out with their variants.'),
    images: described(wholeNumber, 'Images of which nothing could be measured. They are also in leftOut.'),
    partly: described(wholeNumber, 'Examples of which only a part was measured.'),
  }),
  'What was left out because the evaluator gave no score. Absent if everything was scored.',
);

/** The images that were found by less than the whole path of their names, and the first of them. */
export const partlyFound = z.object({
  count: wholeNumber,
  first: z.array(z.object({ name: z.string(), file: z.string() })),
});

/** The image files behind a report. The hashes do not depend on the order of the images. */
const images = described(
  z.object({
    count: wholeNumber,
    names: described(z.string(), 'The sum of the SHA-256 of the names in the dataset, modulo 2^256, in hex.'),
    sha256: described(
      z.string(),
      "The sum of the SHA-256 of each name, a NUL and the file's SHA-256 in hex, modulo 2^256, in hex.",
    ),
  }),
  'The distinct image files of the examples that were read. Absent if there are none, or if scores do not depend on their bytes.',
);

const metric = z.object({
  id: described(z.string(), 'The metric, such as visla.t2t.'),
  value: described(z.nullable(z.number()), 'The value, or null if it is not defined.'),
  n: described(wholeNumber, 'The number of examples behind the value.'),
  images: optionalKey(
    wholeNumber,
    'The number of images, or of clusters if dataset.cluster names their column, behind the examples, if smaller than n.',
  ),
  texts: optionalKey(
    wholeNumber,
    'The number of distinct captions without the changed words. Present if a test counts them and they are fewer than the images.',
  ),
  ties: z.optional(z.number()),
  chance: optionalKey(z.number(), 'The expected value for random scores.'),
  ci: optionalKey(z.readonly(z.tuple([z.number(), z.number()])), '95 % interval.'),
  degrees: optionalKey(z.number(), "Student's degrees of freedom of the interval, if it has them."),
  draws: optionalKey(
    z.readonly(z.array(z.nullable(z.number()))),
    'The value of each draw of the variants, in the order of the seeds.',
  ),
  slice: optionalKey(
    z.readonly(z.record(z.string(), scalarValue)),
    'The subset of examples. Main metrics have none.',
  ),
  kind: optionalKey(
    z.string(),
    'The kind of altered entries, or the baseline, if reports have the metric for several.',
  ),
  moot: optionalKey(z.boolean(), 'The value carries no information; the note says why.'),
  note: z.optional(wordsSchema),
});

const spread = z.object({
  value: described(z.nullable(z.number()), 'The standard deviation, or null if it is not defined.'),
  mean: described(z.nullable(z.number()), 'The mean score of the mismatched pairs.'),
  kind: z.enum(['text-text', 'image-text', 'image-image']),
  pairs: described(wholeNumber, 'The number of mismatched pairs.'),
  error: optionalKey(
    z.number(),
    'The standard error of the logarithm of the value. Absent with too few images.',
  ),
  influence: optionalKey(
    z.record(z.string(), z.number()),
    'What each image contributes to the logarithm of the value. The sum is zero.',
  ),
  note: z.optional(wordsSchema),
});

export const repeatSchema = optionalKey(
  z.object({
    pairs: described(wholeNumber, 'How many pairs were scored twice before the run.'),
    constant: optionalKey(z.boolean(), 'Whether all these pairs have the same score.'),
    decides: optionalKey(
      z.enum(['chance', 'order', 'batch']),
      'What decides about a score besides its pair. Absent if nothing else does.',
    ),
    largest: optionalKey(z.number(), 'The largest change of a score.'),
    relative: optionalKey(z.number(), 'The largest change, in standard deviations of the scored pairs.'),
  }),
  'A test of the evaluator before the run. Absent for judges and tables of scores.',
);

const draft = optionalKey(
  z.object({
    examples: described(wholeNumber, 'How many examples were scored again in float32.'),
    lines: described(wholeNumber, 'How many differences of scores of these examples were compared.'),
    changes: z.object({
      median: described(z.number(), 'The median change of a difference of scores.'),
      largest: described(z.number(), 'The largest change of a difference of scores.'),
    }),
    decisions: optionalKey(
      z.object({ same: wholeNumber, changed: wholeNumber }),
      'How many decisions are the same in float32. Absent if the probe decides nothing.',
    ),
    right: optionalKey(
      z.object({ draft: wholeNumber, exact: wholeNumber }),
      'How many of these decisions are right in the draft, and in float32.',
    ),
  }),
  'How far a draft is from float32, on a sample. Absent if it was not measured; a warning says why.',
);

const confirmed = optionalKey(
  z.object({
    file: described(fileName, "File name of the confirmed lines, in the report's folder."),
    worst: described(wholeNumber, 'How many of the worst wrong decisions were scored again.'),
    close: described(
      wholeNumber,
      'How many ties, and decisions no further from a tie than the largest measured change, were scored again.',
    ),
    kept: described(wholeNumber, 'How many of these decisions are the same in float32.'),
    changed: described(wholeNumber, 'How many of these decisions are others in float32.'),
    lost: described(wholeNumber, 'How many of these decisions have no counterpart in float32.'),
  }),
  'Which decisions of a draft were confirmed in float32, if the user asked for it.',
);

/** A report of one probe, one dataset and one evaluator. */
export const reportFileSchema = z.object({
  schema: z.literal(reportSchema),
  probe: described(z.string(), 'The probe.'),
  dataset: z.object({
    path: z.string(),
    sha256: z.string(),
    format: z.string(),
    cluster: optionalKey(
      z.string(),
      'The column whose values count as one observation each, if the user named one. Otherwise, each image is one observation.',
    ),
    examples: described(wholeNumber, 'Audited examples.'),
    measured: optionalKey(
      wholeNumber,
      'The number of examples behind the metrics, if their n does not say so.',
    ),
    skipped: described(wholeNumber, 'Skipped entries; leftOut gives the reasons.'),
    leftOut: z.array(leftOut),
    lost: z.optional(lost),
    partlyFound: z.optional(partlyFound),
    images: z.optional(images),
  }),
  evaluator: described(evaluatorSchema, 'The evaluator.'),
  spread: optionalKey(
    spread,
    "The spread of the evaluator: the standard deviation of its scores over mismatched pairs, each an image and another image's caption. A metric whose id ends in .relative is in units of this spread.",
  ),
  repeat: repeatSchema,
  draft,
  confirmed,
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  seed: wholeNumber,
  draws: z.optional(
    wholeNumber.check(
      z.describe(
        'The number of draws of the variants, with consecutive seeds that begin with seed. Absent if the seed decides no variants.',
      ),
    ),
  ),
  defaultDraws: z.optional(
    z
      .literal(true)
      .check(
        z.describe('The user named no number of draws. It is 5 for fewer than 1,000 captions, otherwise 1.'),
      ),
  ),
  limit: z.optional(
    wholeNumber.check(z.describe('If present, only this many examples of the file were read.')),
  ),
  experiment: optionalKey(
    z.object({
      file: described(fileName, 'The name of the file.'),
      sha256: described(z.string(), 'SHA-256 of the file.'),
      run: optionalKey(z.string(), 'The named run. Absent for the run without a name.'),
    }),
    'The experiment file that this report was made from, if any.',
  ),
  checkpoint: optionalKey(
    z.object({
      pattern: described(z.string(), 'The pattern of the experiment file that named the evaluator.'),
      step: described(z.number(), 'The training step.'),
    }),
    'Which checkpoint of a training run the evaluator is, if a pattern named it.',
  ),
  altered: optionalKey(
    z.object({
      sha256: described(z.string(), 'A hash of all altered captions, in the order of the examples.'),
      voters: described(
        z.array(z.object({ id: z.string(), sha256: z.string() })),
        'The encoders that chose the words to replace.',
      ),
    }),
    'Altered captions, which reports must share to be compared.',
  ),
  claims: described(
    z.array(z.object({ text: wordsSchema, rule: wordsSchema })),
    'The verdicts that the intervals support, each with its rule.',
  ),
  metrics: z.array(metric),
  rows: described(fileName, "File name of the rows, in the report's folder."),
  rowCount: described(wholeNumber, 'The number of lines in the rows file.'),
  rowsSha256: described(z.string(), 'SHA-256 of the rows file.'),
  warnings: z.array(wordsSchema),
  versions: z.record(z.string(), z.string()),
});
