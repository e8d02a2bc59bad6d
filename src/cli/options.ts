import type { CommandOption } from './arguments';

/** Options that several commands share. */
export const images: CommandOption = {
  value: 'DIR',
  multiple: true,
  describe: 'image folder, if the images are not next to the dataset file; repeatable',
};
export const limit: CommandOption = { value: 'N', describe: 'use only the first N examples' };
export const seed: CommandOption = { value: 'N', describe: 'seed of the perturbations (default 42)' };
export const set: CommandOption = {
  value: 'P.KEY=V',
  multiple: true,
  describe: 'an option of a probe, as in --set lgip.asInPaper=true; "captious probes P" lists them',
};
export const map: CommandOption = {
  value: 'F=C,…',
  describe: 'which column holds which field, as in --map image=photo,caption=text',
};
export const yes: CommandOption = {
  describe:
    'allow requests to endpoints and the Python code of evaluator files. Without --yes, Captious asks once for each endpoint and file',
};
export const slices: CommandOption = { describe: 'also print the metrics of each slice' };
export const python: CommandOption = {
  value: 'PATH',
  describe:
    'Python interpreter for evaluators in Python: a path, the folder of an environment, or conda:NAME (default: the active environment, ./.venv, python3)',
};

/** Options of an audit that a submitted one passes on. */
export const auditOptions = {
  probe: { value: 'P[,P…]', multiple: true, describe: 'probes to run; "captious probes" lists them' },
  evaluator: {
    value: 'E[,E…]',
    multiple: true,
    describe:
      'evaluators to audit: the id of an installed evaluator, a model folder with the layout of the Hugging Face hub, an evaluator file (x.evaluator.json), Python code (python:./my_metric.py:Evaluator), a PyTorch model (open_clip:ViT-B-32?pretrained=./x.pt, transformers:./folder), a metric based on one of these, such as clipscore:starter, or a metric of reference captions, such as cider',
  },
  images,
  references: {
    value: 'FILE',
    describe:
      "reference captions for evaluators that compare with them, such as cider (default: the dataset's own references, or the other captions of the image)",
  },
  out: {
    value: 'DIR',
    describe: "folder for reports and rows (default: a folder for this dataset under Captious's home folder)",
  },
  limit,
  seed,
  set,
  'text-only': { describe: 'compare captions only, without images (rococo)' },
  map,
  batch: { value: 'N', describe: 'largest batch of texts; changes the speed, not the metrics' },
  threads: { value: 'N', describe: 'threads for each model; changes the speed, not the metrics' },
  provider: {
    value: 'P',
    describe:
      'where models run: cpu (default), cuda, coreml, dml, webgpu, or auto (the report says which was used)',
  },
  python,
  precision: { value: 'P', describe: 'precision of the model: float32 (default), float16, int8, q4' },
} satisfies Record<string, CommandOption>;
