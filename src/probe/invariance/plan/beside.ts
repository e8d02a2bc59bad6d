import { findInstances, type Instances, readInstances } from '../../../dataset/instances';
import { type Lexicon, lexicon as builtInLexicon, readLexicon } from '../../../perturb/society/lexicon';
import type { PlanContext, PrepareRequest } from '../../probe';
import { type InvarianceOptions, invarianceOptionsFrom } from '../options';

/** The outlined objects, if there is a file of them, and the lexicon. */
export interface Beside {
  instances?: Instances;
  lexicon: Lexicon;
}

export function prepareBeside({ datasetPath, options }: PrepareRequest): Beside {
  const { instances, lexicon } = invarianceOptionsFrom(options);
  const path = instances === '' ? findInstances(datasetPath) : instances;
  const beside: Beside = { lexicon: lexicon === '' ? builtInLexicon : readLexicon(lexicon) };
  if (path !== undefined) beside.instances = readInstances(path);
  return beside;
}

export function besideOf({ beside }: Pick<PlanContext, 'beside'>): Beside {
  if (beside === undefined)
    throw new Error('The probe was not prepared: the files next to the dataset were not read.');
  return beside as Beside;
}

/**
 * Whether to score the dataset's own captions: if the user asks for it, or if there is no file of outlined
 * objects.
 */
export function scoresOwnCaptions(options: InvarianceOptions, { instances }: Beside): boolean {
  return options.captions !== 'template' || instances === undefined;
}
