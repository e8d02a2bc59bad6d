import { join } from 'node:path';
import { CaptiousError } from '../../../base/errors';
import { say } from '../../../base/say';
import { resamplers } from '../../../protocol/imageSpec';
import { objectAt } from '../json';
import type { ModelFolder } from '../modelFolder';

/** Whose resizing to use: as requested, else as the folder's captious.json says. Undefined means Pillow's. */
export function resamplerOf(folder: ModelFolder): 'torchvision' | undefined {
  const said = objectAt(folder.json('captious.json'), 'image')?.resize;
  const wished = folder.resampler ?? said ?? 'pillow';
  if (wished === 'torchvision') return wished;
  if (wished === 'pillow') return undefined;
  throw new CaptiousError('evaluator', say`"image.resize" is neither "pillow" nor "torchvision".`, {
    at: join(folder.path, 'captious.json'),
    remedy: say`Choose from ${resamplers.join(', ')}.`,
  });
}

export function followed(resampler: 'torchvision' | undefined): string {
  return resampler === undefined
    ? 'Images are resized as Pillow does it; the default processors of transformers 5 use torchvision ("resize": "torchvision").'
    : 'Images are resized as torchvision does it on uint8 tensors, like the default processors of transformers 5.';
}
