import { join } from 'node:path';
import { CaptiousError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';
import { resamplers } from '../../../protocol/imageSpec';
import { objectAt } from '../json';
import type { ModelFolder } from '../modelFolder';

/** The library whose resizing to follow, from `folder.resampler` or else captious.json; undefined for Pillow. */
export function resamplerOf(folder: ModelFolder): 'torchvision' | undefined {
  const said = objectAt(folder.json('captious.json'), 'image')?.resize;
  const wished = folder.resampler ?? said ?? 'pillow';
  if (wished === 'torchvision') return wished;
  if (wished === 'pillow') return undefined;
  throw new CaptiousError('evaluator', say('model.resizeUnknown'), {
    at: join(folder.path, 'captious.json'),
    remedy: say('fetch.chooseFrom', resamplers.join(', ')),
  });
}

export function followed(resampler: 'torchvision' | undefined): Words {
  return resampler === undefined ? say('model.resizedAsInPillow') : say('model.resizedAsInTorchvision');
}
