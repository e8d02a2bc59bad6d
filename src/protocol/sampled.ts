import { list, object, type Shaped, text } from '../base/shape';
import { changes, changeShape } from '../perturb/changeShape';

/** An image, changed or unchanged, with one of its captions. */
const version = object({ image: text, transforms: list(changeShape(...changes)), text });
export type Version = Shaped<typeof version>;

export const sampledFields = {
  /** Identifies the row and the variant. */
  id: text,
  axis: text,
  family: text,
  variant: text,
  original: version,
  changed: version,
};
export const sampled = object(sampledFields);

/** Two versions of one example. Both are equally right if the perturbation works as intended. */
export type Sampled = Shaped<typeof sampled>;
