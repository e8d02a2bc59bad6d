import { join } from 'node:path';
import { CaptiousError } from '../../../base/errors';
import { english, say } from '../../../base/say';
import { resamplers } from '../../../protocol/imageSpec';
import { objectAt } from '../json';
import type { ModelFolder } from '../modelFolder';

/** The library whose resizing to follow, from `folder.resampler` or else captious.json; undefined for Pillow. */
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
    ? english(
        say`Images are resized as in Pillow. The default processors of transformers 5 resize as in torchvision; to match them, set "resize": "torchvision".`,
      )
    : 'Images are resized as in torchvision on uint8 tensors, the default of transformers 5.';
}
