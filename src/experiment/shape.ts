/* The schema of an experiment file: one source for the check, for completion in editors and for the types. */
import * as z from 'zod/mini';
import type { Code } from '../base/say';
import { described, optionalKey, wholeNumber } from '../base/schema';
import { fieldRoles } from '../dataset/fields/fields';
import { evaluatorFileSchemas } from '../evaluator/evaluatorFile';
import { probes } from '../probe/generated/probes';
import type { OptionSpec } from '../probe/probe';
import { exportForms } from '../report/export/export';
import { paperForms } from '../report/paper/paper';

const name = z.string().check(z.minLength(1));
const positive = z.int().check(z.minimum(1));
const oneOrMore = <S extends z.ZodMiniType>(item: S) => z.array(item).check(z.minLength(1));
const oneOrList = <S extends z.ZodMiniType>(item: S) => z.union([item, oneOrMore(item)]);

const limit = described(positive, 'Use only the first examples of a dataset.');
const images = described(
  oneOrList(name),
  'Image folders, needed if the images are not next to the dataset. FROM=DIR is the folder of the images whose names begin with FROM.',
);
const references = described(
  name,
  'A file of reference captions, for evaluators that compare captions with references.',
);

export const datasetFields = {
  path: described(
    name,
    'The dataset: a file, a folder, or a pattern such as "data/train-*.parquet". A relative path starts at the folder of this file.',
  ),
  split: z.optional(
    described(
      name,
      'The split of a folder with the layout of the Hugging Face hub, such as "test". "all" reads every split. Default: the only split.',
    ),
  ),
  config: z.optional(
    described(
      name,
      'The configuration that the README.md of the folder lists. Default: its default, or the only one.',
    ),
  ),
  name: z.optional(
    described(
      z.string().check(z.regex(/^[^/\\\0]+$/, 'experiment.nameWithoutSlashes' satisfies Code)),
      'The name of the folder of reports if there are several datasets. Default: the name of the file, or of the folder with its configuration and split.',
    ),
  ),
  images: z.optional(images),
  references: z.optional(references),
  limit: z.optional(limit),
  probes: optionalKey(
    oneOrMore(z.enum(probes.map(({ id }) => id) as [string, ...string[]])),
    "Which of the file's probes to run on this dataset. Default: all.",
  ),
  map: optionalKey(
    z.strictObject(Object.fromEntries(fieldRoles.map((role) => [role, z.optional(name)]))),
    'Which column of the file contains which field, such as { "image": "photo" }.',
  ),
};

function optionType({ default: value, choices }: OptionSpec): z.ZodMiniType {
  if (typeof value === 'boolean') return z.boolean();
  if (typeof value === 'number') return z.number();
  return choices === undefined ? z.string() : z.enum(choices as [string, ...string[]]);
}

const probeObjects = probes.map(({ id, question, options }) =>
  z.strictObject({
    id: z.literal(id).check(z.describe(question)),
    options: z.optional(
      z.strictObject(
        Object.fromEntries(
          options.map((option) => [option.key, optionalKey(optionType(option), option.describe)]),
        ),
      ),
    ),
  }),
);
type ProbeObject = (typeof probeObjects)[number];

const evaluatorName = z
  .string()
  .check(
    z.regex(/^[^/\\#\0]+$/, 'a name without the signs / \\ #'),
    z.describe('The name of the evaluator in reports and in their file names.'),
  );
/** Each kind's keys, as in an evaluator file. */
const evaluatorObjects = evaluatorFileSchemas().map(([, schema]) =>
  z.extend(schema, { name: evaluatorName }),
);
export const checkpointsKind = 'checkpoints';
/** A pattern over the checkpoints of a training run whose names need a pattern of the step. */
export const checkpointsObject = z.strictObject({
  kind: z.literal(checkpointsKind).check(z.describe('One evaluator for each checkpoint of a training run.')),
  pattern: described(
    z.string().check(z.regex(/\*/, 'a path with *')),
    'An evaluator with * in its path or in a parameter, such as "./ckpt/run-*". Each match is an evaluator.',
  ),
  step: described(name, 'A regular expression with one group, the step, such as "run-(\\d+)".'),
});
export const evaluatorObject = z.discriminatedUnion('kind', [checkpointsObject, ...evaluatorObjects]);

export const thresholdFields = {
  failOn: optionalKey(
    oneOrList(name),
    'Conditions on the metrics of one evaluator and dataset, such as "lgip.pr < 0.7". If one is true, the run exits with code 1. "lgip.pr.drop > 0.01" is how much worse a checkpoint is than the best one before it.',
  ),
  allowLost: optionalKey(wholeNumber, 'How many examples of a report may be without a score. Default: 0.'),
};

/** The forms of whole tables and figures. A report has no such form of its own. */
export const tableForms = paperForms.filter((form) => !exportForms.includes(form));

const common = {
  images: z.optional(images),
  references: z.optional(references),
  seeds: z.optional(
    described(
      oneOrMore(wholeNumber),
      'Seeds of the perturbations. Several seeds have one folder each. Default: 42.',
    ),
  ),
  draws: z.optional(
    described(
      positive,
      'How many draws of the variants to make for each seed (probes lgip and long). Default: 5 if fewer than 1,000 captions are read, otherwise 1, and 1 with several seeds.',
    ),
  ),
  limit: z.optional(limit),
  thresholds: z.optional(described(z.strictObject(thresholdFields), 'When the run counts as failed.')),
  outputs: optionalKey(
    z.array(z.enum([...exportForms, ...tableForms] as [string, ...string[]])),
    `Formats to write after the run: next to each report, or for ${tableForms.join(', ')} tables and figures of all reports in the folder "paper".`,
  ),
  batch: optionalKey(positive, 'The largest batch. It affects the speed, not the metrics.'),
  threads: optionalKey(positive, 'Threads for each model. They affect the speed, not the metrics.'),
  provider: optionalKey(name, 'Where models run: cpu (default), cuda, coreml, dml, webgpu, or auto.'),
  precision: optionalKey(name, 'The precision of the model: float32 (default), float16, int8, q4.'),
  python: optionalKey(name, 'The Python interpreter for evaluators in Python.'),
  spread: optionalKey(
    z.boolean(),
    'Whether to score mismatched pairs, which make metrics of different evaluators comparable. Default: true.',
  ),
};

const matrix = {
  datasets: described(
    oneOrMore(z.union([name, z.strictObject(datasetFields)])),
    'Dataset files, or objects with "path" and settings for the dataset.',
  ),
  probes: described(
    oneOrMore(
      z.union([
        z.enum(probes.map(({ id }) => id) as [string, ...string[]]),
        z.discriminatedUnion('id', probeObjects as [ProbeObject, ...ProbeObject[]]),
      ]),
    ),
    'Probes to run, by id, or objects with "id" and "options".',
  ),
  evaluators: described(
    oneOrMore(z.union([name, evaluatorObject])),
    'Evaluators to audit: ids, paths that begin with ./ or ../, or objects like those in evaluator files, with a "name". A * in a path, such as "./ckpt/step_*", names one evaluator for each checkpoint, also in an object.',
  ),
  out: described(name, 'The folder for reports and rows.'),
};

export const runFields = {
  datasets: z.optional(matrix.datasets),
  probes: z.optional(matrix.probes),
  evaluators: z.optional(matrix.evaluators),
  out: z.optional(matrix.out),
  ...common,
};

export const experimentFields = {
  $schema: z.optional(z.string()),
  ...matrix,
  ...common,
  runs: optionalKey(
    z.record(
      z.string().check(z.regex(/^[^/\\\0-][^/\\\0]*$/, 'a name without slashes that does not begin with -')),
      z.strictObject(runFields),
    ),
    'Named variants of the run, such as { "quick": { "limit": 50 } }. Their keys replace those of the file. "captious run quick" selects one.',
  ),
};

/** An experiment: datasets × probes × evaluators. */
export const experimentSchema = z.strictObject(experimentFields);
export type Experiment = z.infer<typeof experimentSchema>;
export type DatasetEntry = Exclude<Experiment['datasets'][number], string>;
export type RunFields = Omit<Experiment, 'runs' | '$schema'>;

/** The keys of the object at a path, to propose the nearest one. */
export function keysAt(path: readonly (string | number)[], value: unknown): string[] {
  const [first, second, ...rest] = path;
  if (first === undefined) return Object.keys(experimentFields).filter((key) => key !== '$schema');
  if (first === 'runs' && second !== undefined)
    return rest.length === 0 ? Object.keys(runFields) : keysAt(rest, value);
  if (first === 'thresholds') return Object.keys(thresholdFields);
  if (first === 'datasets') return rest[0] === 'map' ? [...fieldRoles] : Object.keys(datasetFields);
  if (first === 'probes') {
    const own = probeObjects.find(({ shape }) => shape.id.def.values[0] === idOf(value, 'id'));
    return Object.keys((rest[0] === 'options' ? own?.shape.options.def.innerType.shape : own?.shape) ?? {});
  }
  if (first === 'evaluators') {
    const kind = idOf(value, 'kind');
    if (kind === checkpointsKind) return Object.keys(checkpointsObject.shape);
    const own = evaluatorFileSchemas().find(([known]) => known === kind)?.[1];
    return Object.keys(own?.shape ?? {}).filter((key) => key !== '$schema');
  }
  return [];
}

function idOf(value: unknown, key: 'id' | 'kind'): unknown {
  return (value as Record<string, unknown> | undefined)?.[key];
}
