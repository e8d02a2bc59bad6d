/** The errors for missing and unusable values in the file of an image processor. */
import { CaptiousError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';
import type { Json } from '../json';

/** Throws because a key's value is missing or unusable. The error for a missing value begins with `what`. */
export type Ask = (key: string, what: Words) => never;

/** `type` is the name of the image processor, and `at` its file. */
export function askFor(config: Json, type: string, at: string): Ask {
  const processor = type || 'not named';
  return (key, what) => {
    if (isSet(config, key))
      throw new CaptiousError(
        'evaluator',
        say`Captious cannot use the value of ${key} for this image processor (${processor}).`,
        { at, remedy: formOf(key) },
      );
    throw new CaptiousError(
      'evaluator',
      say`${what} The file does not set ${key}, and Captious has no default for its image processor (${processor}).`,
      { at, remedy: say`Add ${key} with the value that the model's authors used.` },
    );
  };
}

/** The error if images are neither cropped nor resized to one size. */
export function noSize(config: Json, ask: Ask, at: string): CaptiousError {
  if (!isSet(config, 'crop_size'))
    return ask('crop_size', say`The size of the model's input images is missing.`);
  return new CaptiousError(
    'evaluator',
    say`The size of the model's input images is unclear: the file sets crop_size, but does not turn on do_center_crop.`,
    {
      at,
      remedy: say`If the model's authors cropped images, set do_center_crop to true. Otherwise, write "size" as {"height": 224, "width": 224}.`,
    },
  );
}

function isSet(config: Json, key: string): boolean {
  return config[key] !== undefined && config[key] !== null;
}

/** Returns a remedy that says how to write the key's value. */
function formOf(key: string): Words {
  switch (key) {
    case 'resample':
      return say`Set resample to a number from 0 to 5, as in Pillow.`;
    case 'patch_size':
      return say`Set ${key} to a number.`;
    default:
      return say`Write sizes as {"height": 224, "width": 224} or {"shortest_edge": 224}, and image_mean and image_std as three numbers.`;
  }
}
