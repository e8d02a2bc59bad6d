import type { CommandOption } from './arguments';

export const datasetOperand =
  'a dataset: a file, a folder of files, or a pattern in quotes, such as "data/train-*.parquet" or "part-{000..012}.jsonl"';
/** The options of commands that read a folder with splits. `inSplit` applies them to the operands. */
export const splitOptions = {
  split: {
    value: 'NAME',
    describe:
      'the split of a folder with the layout of the Hugging Face hub, such as train; all reads every split (default: the only split)',
  },
  config: {
    value: 'NAME',
    describe:
      'the configuration that the README.md of the folder lists (default: its default, or the only one)',
  },
} satisfies Record<string, CommandOption>;
export const images: CommandOption = {
  value: '[FROM=]DIR',
  multiple: true,
  describe:
    'image folder or .zip archive. Needed if the images are not next to the dataset file. With FROM=, the folder of the images whose names begin with FROM, such as http://images.cocodataset.org/val2017=photos or dogs=photos/d. Repeatable',
};
/** The image option of exports. */
export const shownImages: CommandOption = {
  value: '[FROM=]DIR',
  multiple: true,
  describe: "embed small images. DIR is the folder with the dataset's images, as in an audit. Repeatable",
};
export const limit: CommandOption = { value: 'N', describe: 'use only the first N examples' };
export const seed: CommandOption = { value: 'N', describe: 'seed of the perturbations (default 42)' };
export const seeds: CommandOption = {
  value: 'N',
  describe:
    'how many draws of the variants to make, with consecutive seeds from --seed on (only lgip and long draw variants; default 5 if fewer than 1,000 captions are read, otherwise 1). Metrics are over all draws. Intervals hold what images and draws contribute, and both are shown apart',
};
export const set: CommandOption = {
  value: 'P.KEY=V',
  multiple: true,
  describe:
    'value of a probe option. "captious probes P" lists the options of probe P. Example: --set lgip.asInPaper=true',
};
export const map: CommandOption = {
  value: 'F=C,…',
  describe: 'which column of the file contains which field. Example: --map image=photo,caption=text',
};
export const cluster: CommandOption = {
  value: 'COLUMN',
  describe:
    'the column whose values count as one observation each in intervals, tests and verdicts, such as patient or scene (default: each image is one observation). It is short for --map cluster=COLUMN',
};
export const yes: CommandOption = {
  describe:
    'allow requests to endpoints and the Python code of evaluator files. Without --yes, Captious asks once for each endpoint and file',
};
export const slices: CommandOption = { describe: 'also print the metrics of each slice' };
export const python: CommandOption = {
  value: 'PATH',
  describe:
    'Python interpreter for evaluators in Python: a path, the folder of an environment, or conda:NAME (default: the active environment, else ./.venv, else python3)',
};

/** Options of `audit`, which `submit` passes to its jobs. */
export const auditOptions = {
  probe: { value: 'P[,P…]', multiple: true, describe: 'probes to run. "captious probes" lists all probes' },
  evaluator: {
    value: 'E[,E…]',
    multiple: true,
    describe:
      'evaluators to audit. Each can be the id of an installed evaluator (starter), a model folder with the layout of the Hugging Face hub (./folder), or an evaluator file (x.evaluator.json). Python code: python:./my_metric.py:Evaluator. PyTorch models: open_clip:ViT-B-32?pretrained=./x.pt, transformers:./folder. A metric based on an encoder: clipscore:starter. A metric of reference captions: cider',
  },
  ...splitOptions,
  images,
  references: {
    value: 'FILE',
    describe:
      'reference captions, for evaluators such as cider that compare captions with references (default: the references in the dataset, else the other captions of the image)',
  },
  out: {
    value: 'DIR',
    describe: "folder for reports and rows (default: a folder for this dataset under Captious's home folder)",
  },
  limit,
  seed,
  seeds,
  set,
  'text-only': { describe: 'compare captions with captions only, without images (rococo)' },
  voters: {
    value: 'E[,E…]',
    describe:
      'for rococo: the text encoders that choose which word of a caption to replace (default starter). It is short for --set rococo.voters=E[,E…]',
  },
  map,
  cluster,
  batch: {
    value: 'N',
    describe:
      'largest batch of texts. It affects the speed, not the metrics. For evaluators in Python: largest batch of texts, images or pairs; the last digits of scores may change',
  },
  threads: { value: 'N', describe: 'threads for each model. They affect the speed, not the metrics' },
  provider: {
    value: 'P',
    describe:
      'where models run: cpu (default), cuda, coreml, dml, webgpu, or auto. The report names the provider that was used',
  },
  python,
  'no-spread': {
    describe:
      'do not score mismatched pairs: up to 500 for encoders and 200 for other evaluators, only for probes with metrics in units of the score (exploit, explain, invariance, lgip, long). Without them, metrics in units of the score cannot be compared with other evaluators. Also leaves out the test that scores 48 pairs twice',
  },
  precision: {
    value: 'P',
    describe:
      'precision of the model: float32 (default), float16, int8, q4. If the model folder also has float32 graphs, the metrics are marked as a draft, and the report says how far 200 examples are from float32',
  },
} satisfies Record<string, CommandOption>;

/** The option of audits in shards. */
export const byImage: CommandOption = {
  describe:
    'keep all examples of an image in one shard, also in a dataset of several files. Each shard then reads all files',
};
