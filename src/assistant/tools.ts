/*
 * What Captious's tools for assistants do and which input they take. The editor's language-model tools (package.json)
 * and the MCP server describe and check their tools by this table.
 */
import {
  choice,
  count,
  list,
  object,
  optional,
  type Shape,
  type Shaped,
  ShapeError,
  text,
} from '../base/shape';

type Schema = Readonly<Record<string, unknown>>;

/** A tool. `input` checks what `inputSchema` describes. */
export interface AssistantTool<T> {
  title: string;
  description: string;
  input: Shape<T>;
  /** The JSON schema of the input. `probes` are the ids of all probes. */
  inputSchema(probes: readonly string[]): Schema;
}

type Shapes = Record<string, Shape<unknown>>;
type Properties<F extends Shapes> = { [K in keyof F]: Schema | ((probes: readonly string[]) => Schema) };
type Input<F extends Shapes> = Shaped<ReturnType<typeof object<F>>>;

function tool<F extends Shapes>(
  { title, description }: { title: string; description: string },
  shapes: F,
  properties: Properties<F>,
): AssistantTool<Input<F>> {
  return {
    title,
    description,
    input: object(shapes),
    inputSchema: (probes) => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, of]) => [key, typeof of === 'function' ? of(probes) : of]),
      ),
      required: Object.keys(shapes).filter((key) => !isOptional(shapes[key])),
      additionalProperties: false,
    }),
  };
}

function isOptional(shape: Shape<unknown>): boolean {
  try {
    shape(undefined, '');
    return true;
  } catch {
    return false;
  }
}

const positive: Shape<number> = (value, at) => {
  if (count(value, at) === 0) throw new ShapeError(at, 'an integer of 1 or more');
  return value as number;
};

const string = (description: string): Schema => ({ type: 'string', description });
const strings = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const integer = (minimum: number, description: string): Schema => ({ type: 'integer', minimum, description });

const datasetFile = string('Path of the dataset file, relative to an open folder or absolute.');
const reportFile = string('Path of a *.report.json file, relative to an open folder or absolute.');

const inspect = {
  title: 'Inspect Dataset',
  description:
    'Reports the contents of a file with image captions: its format, the numbers of examples, captions and images, the missing images, and the broken rows with their lines. Scores nothing. Use it before an audit, or to find problems of a caption dataset (JSON, JSON Lines, CSV, TSV, Parquet).',
};
const auditing =
  'Audits evaluators of image captions (CLIP-like encoders, text encoders, judges) on a dataset file: changes captions or images in ways whose effect on the meaning is known, and measures whether the score follows. Returns the verdicts, and the metrics with 95 % intervals. Can take minutes. By default it uses the probe the file was made for and the built-in evaluator, whose metrics should not be published.';
const auditShapes = {
  file: text,
  probes: optional(list(text)),
  evaluators: optional(list(text)),
  limit: optional(positive),
};
const auditProperties: Omit<Properties<typeof auditShapes>, 'evaluators'> = {
  file: datasetFile,
  probes: (ids) => ({
    type: 'array',
    items: { type: 'string', enum: [...ids] },
    description:
      "The probes to run. lgip: stable when reworded, falling when wrong; exploit: raised by edits that add no truth; visla: same meaning against similar words; sugarcrepe, winoground: right against wrong caption; rococo, prsm: retrieval; invariance: images flipped, rotated or rearranged, captions with added words; human: agreement with people's ratings and preferences; long: one error in a caption of many sentences; explain: which words move the score (one more score for each word).",
  }),
  limit: integer(1, 'Use only this many examples from the start of the file.'),
};
const comparing =
  'Compares two reports of one probe: all metrics, and row by row with paired tests if both use the same dataset. Lists differences other than the evaluator.';

const influencing =
  'Scores nothing, unless an evaluator is named: then it also says how much each word of the caption and each region of its image contributes to the score.';

const regions = optional(choice('grid', 'objects'));
const regionsProperty: Schema = {
  type: 'string',
  enum: ['grid', 'objects'],
  description:
    'What is hidden in the image: the regions of a grid (default), or each outlined object, which needs a file of objects (instances.json) next to the dataset.',
};

/** The language-model tools of the editor. package.json repeats them, which a test checks. */
export const editorTools = {
  inspect: tool(inspect, { file: text }, { file: datasetFile }),
  audit: tool({ title: 'Audit Dataset', description: auditing }, auditShapes, {
    ...auditProperties,
    evaluators: strings('Ids of installed evaluators, or folders in the setting captious.evaluatorFolders.'),
  }),
  explain: tool(
    {
      title: 'Explain Example',
      description: `Explains one example of an audited dataset: its captions and variants with their scores and differences, worst first, whether each change was caught, and whether the caption was edited after the audit. Uses the newest run of each probe. ${influencing} In this case, the file need not be audited.`,
    },
    { file: text, line: positive, evaluator: optional(text), regions },
    {
      file: datasetFile,
      line: integer(1, 'A line of the example in the file. The first line of the file is 1.'),
      evaluator: string(
        'Id of an installed evaluator, or a folder in the setting captious.evaluatorFolders, whose score of the caption at this line is explained.',
      ),
      regions: regionsProperty,
    },
  ),
  compare: tool(
    {
      title: 'Compare Reports',
      description: `${comparing} Accepts report paths from captious_audit, or *.report.json files of the workspace.`,
    },
    { report: text, other: text },
    { report: string('Path of the first report.'), other: string('Path of the second report.') },
  ),
};

/** The tools of the MCP server. */
export const serverTools = {
  inspect: tool(
    inspect,
    { file: text, images: optional(list(text)) },
    {
      file: datasetFile,
      images: strings('Folders with the images, if they are not next to the dataset file.'),
    },
  ),
  probes: tool(
    {
      title: 'List Probes',
      description:
        'Lists the probes with the question that each answers, or describes one probe with its options and their defaults.',
    },
    { id: optional(text) },
    { id: (ids) => ({ type: 'string', enum: [...ids], description: 'The probe to describe.' }) },
  ),
  evaluators: tool(
    {
      title: 'List Evaluators',
      description:
        'Lists the evaluators that the tool audit accepts by id, with the scores that each computes, and those that the user must allow first.',
    },
    {},
    {},
  ),
  audit: tool(
    {
      title: 'Audit Dataset',
      description: `${auditing} Writes the reports and their rows into a folder, and replaces earlier reports of the same names there.`,
    },
    { ...auditShapes, images: optional(list(text)), out: optional(text), seed: optional(count) },
    {
      ...auditProperties,
      evaluators: strings(
        'Ids from the tool evaluators, or model folders inside an open folder. A metric can precede an encoder, as in clipscore:starter.',
      ),
      images: strings('Folders with the images, if they are not next to the dataset file.'),
      out: string(
        'Folder for the reports (default: captious-reports in the open folder of the dataset, and with limit its subfolder first-LIMIT).',
      ),
      seed: integer(0, 'Seed of the perturbations (default 42).'),
    },
  ),
  compare: tool(
    { title: 'Compare Reports', description: comparing },
    { report: text, other: text },
    { report: reportFile, other: reportFile },
  ),
  explain: tool(
    {
      title: 'Explain Example',
      description: `Explains one example of a report: its captions and variants with their scores and differences, and whether each change was caught. ${influencing}`,
    },
    { report: text, line: positive, evaluator: optional(text), regions, images: optional(list(text)) },
    {
      report: reportFile,
      line: integer(
        1,
        'A line of the example in the dataset file, such as the line of a row from the tool worst.',
      ),
      evaluator: string('Id from the tool evaluators, whose score of the caption at this line is explained.'),
      regions: regionsProperty,
      images: strings('Folders with the images, if they are not next to the dataset file.'),
    },
  ),
  worst: tool(
    {
      title: 'Worst Rows',
      description:
        'Returns the rows of a report where the evaluator fails most: the caption before and after the change, the score, its difference, and the line in the dataset. Scores nothing.',
    },
    { report: text, count: optional(positive), offset: optional(count) },
    {
      report: reportFile,
      count: { ...integer(1, 'How many rows to return (default 10, at most 50).'), maximum: 50 },
      offset: integer(0, 'How many of the worst rows to skip, to get the next ones.'),
    },
  ),
};
