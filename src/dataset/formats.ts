import type { Format } from './format';
import { coco } from './formats/coco';
import { flickr } from './formats/flickr';
import { karpathy } from './formats/karpathy';
import { lgip } from './formats/lgip';
import { options, statements } from './formats/mapped';
import { plain } from './formats/plain';
import { preference } from './formats/preference';
import { polaris, ratings } from './formats/ratings';
import { rococo } from './formats/rococo';
import { sugarcrepe } from './formats/sugarcrepe';
import { visla } from './formats/visla';
import { vsr } from './formats/vsr';
import { winoground } from './formats/winoground';

/** The most particular first. */
export const formats: readonly Format[] = [
  statements,
  options,
  polaris,
  karpathy,
  coco,
  lgip,
  visla,
  winoground,
  vsr,
  sugarcrepe,
  preference,
  ratings,
  rococo,
  flickr,
  plain,
];
