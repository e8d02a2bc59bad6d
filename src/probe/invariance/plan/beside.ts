import type { Example } from '../../../dataset/example';
import { outlinesIn, readObjects } from '../../../dataset/images/openImages';
import { findInstances, type Instances, type Outlined } from '../../../dataset/instances';
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
  if (path !== undefined) beside.instances = readObjects(path);
  return beside;
}

export function besideOf({ beside }: Pick<PlanContext, 'beside'>): Beside {
  if (beside === undefined)
    throw new Error('The probe was not prepared: the files next to the dataset were not read.');
  return beside as Beside;
}

/** The known objects of an example's first image. Boxes in shares need the size of the image. */
export function objectsOf(
  { images: [{ name }] }: Pick<Example, 'images'>,
  context: Pick<PlanContext, 'beside' | 'image'>,
): Outlined | undefined {
  const { instances } = besideOf(context);
  return instances && outlinesIn(instances, name, () => context.image(0)?.source);
}

/** Whether to score the dataset's own captions: on request, or without a file of outlined objects. */
export function scoresOwnCaptions(options: InvarianceOptions, { instances }: Beside): boolean {
  return options.captions !== 'template' || instances === undefined;
}
