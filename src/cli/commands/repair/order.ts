import { resolve } from 'node:path';
import { defaultSeed } from '../../../audit/output/folder';
import { CaptiousError, usageError } from '../../../base/errors';
import { probeNamed } from '../../../probe/list';
import { defaultCost, defaultFit, type RepairRequest } from '../../../repair/repair';
import {
  type Call,
  list,
  needed,
  onePositional,
  parseSettings,
  repeated,
  text,
  wholeNumber,
} from '../../arguments';
import { imageFolders } from '../../datasetRequest';

export const defaultHeldOut = 0.3;

/** The default probes. They need only images with captions. */
export const usualProbes: readonly string[] = ['rococo', 'lgip', 'prsm', 'invariance'];

export interface RepairOrder {
  path: string;
  ref: string;
  out: string;
  heldOut: number;
  fitOn: RepairRequest['fitOn'];
  cost: number;
  fit: RepairRequest['fit'];
  probes: readonly string[];
  options: ReturnType<typeof parseSettings>;
  seed: number;
  images: string[];
  /** Whether the option --yes grants any consent that an evaluator needs. */
  yes: boolean;
  /** The interpreter for evaluators in Python. */
  python: string | undefined;
}

export function readOrder(call: Call): RepairOrder {
  const { values } = call;
  const path = onePositional(call, 'repair', 'A dataset file');
  const ref = needed(values, 'evaluator', 'Add a dual encoder, for example --evaluator starter.');
  const out = needed(values, 'out', 'Add --out DIR, the folder for the repaired evaluator.');
  const weight = (key: string, otherwise: number): number =>
    numberIn(key, text(values, key), 0, Infinity) ?? otherwise;
  const heldOut = numberIn('held-out', text(values, 'held-out'), 0, 0.9) ?? defaultHeldOut;
  const fitOn = columnValue(text(values, 'fit-on'));
  const cost = numberIn('cost', text(values, 'cost'), 0, 1) ?? defaultCost;
  const named = list(values, 'probe').filter((id) => id !== 'none');
  named.forEach(probeNamed);
  const asked = list(values, 'probe').length > 0;
  const options = parseSettings(repeated(values, 'set'));
  const seed = wholeNumber(values, 'seed') ?? defaultSeed;
  const fit = {
    ...defaultFit,
    semantic: weight('semantic', defaultFit.semantic),
    visual: weight('visual', defaultFit.visual),
    decay: weight('decay', defaultFit.decay),
    rank: wholeNumber(values, 'rank', 1) ?? defaultFit.rank,
    epochs: wholeNumber(values, 'epochs', 1) ?? defaultFit.epochs,
  };
  return {
    path: resolve(path),
    ref,
    out,
    heldOut,
    fitOn,
    cost,
    probes: asked ? named : usualProbes,
    options,
    seed,
    fit,
    images: imageFolders(values),
    yes: values.yes === true,
    python: text(values, 'python'),
  };
}

function columnValue(given: string | undefined): { column: string; value: string } | undefined {
  if (given === undefined) return undefined;
  const at = given.indexOf('=');
  if (at > 0) return { column: given.slice(0, at), value: given.slice(at + 1) };
  throw usageError(`--fit-on ${given}: expected column=value.`, 'Example: --fit-on split=train2017.');
}

function numberIn(key: string, given: string | undefined, least: number, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isFinite(value) && value >= least && value <= most) return value;
  const range = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new CaptiousError('usage', `--${key} ${given}: expected a number ${range}.`);
}
