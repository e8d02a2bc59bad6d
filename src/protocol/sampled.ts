import { list, object, type Shaped, text } from '../base/shape';
import { changes, changeShape } from '../perturb/changeShape';

/** What is shown of an example: a photo, changed or not, and a caption of it. */
const version = object({ image: text, transforms: list(changeShape(...changes)), text });
export type Version = Shaped<typeof version>;

export const sampledFields = {
  /** Names the row and the variant. */
  id: text,
  axis: text,
  family: text,
  variant: text,
  original: version,
  changed: version,
};
export const sampled = object(sampledFields);

/** Two versions of one example that a perturbation leaves equally right, if it does what it says. */
export type Sampled = Shaped<typeof sampled>;
