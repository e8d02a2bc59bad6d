/** The errors for missing and unusable values in the file of an image processor. */
import { CaptiousError, evaluatorError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';
import type { Json } from '../json';

/** Throws because a key's value is missing or unusable. The error for a missing value begins with `what`. */
export type Ask = (key: string, what: Words) => never;

/** `type` is the name of the image processor, and `at` its file. */
export function askFor(config: Json, type: string, at: string): Ask {
  const processor = type || 'not named';
  return (key, what) => {
    if (isSet(config, key))
      throw evaluatorError(say('model.imageSettingUnusable', key, processor), formOf(key), at);
    throw new CaptiousError('evaluator', say('model.imageSettingMissing', what, key, processor), {
      at,
      remedy: say('model.addAuthorsValue', key),
    });
  };
}

/** The error if images are neither cropped nor resized to one size. */
export function noSize(config: Json, ask: Ask, at: string): CaptiousError {
  if (!isSet(config, 'crop_size')) return ask('crop_size', say('model.inputSizeMissing'));
  return evaluatorError(say('model.inputSizeUnclear'), say('model.settleCropOrSize'), at);
}

function isSet(config: Json, key: string): boolean {
  return config[key] !== undefined && config[key] !== null;
}

/** Returns a remedy that says how to write the key's value. */
function formOf(key: string): Words {
  switch (key) {
    case 'resample':
      return say('model.setResampleNumber');
    case 'patch_size':
      return say('model.setNumber', key);
    default:
      return say('model.writeSizesAndColours');
  }
}
