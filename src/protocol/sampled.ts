import { list, object, type Shaped, text } from '../base/shape';
import { changes, changeShape } from '../perturb/changeShape';

/** An image and a caption. Either may be changed. */
const version = object({ image: text, transforms: list(changeShape(...changes)), text });

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

/** Two versions of one example: the original and a variant. */
export type Sampled = Shaped<typeof sampled>;
