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
  describe: 'an option of a probe, as in --set lgip.asInPaper=false; "captious probes P" lists them',
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
