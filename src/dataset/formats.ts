import type { Format } from './format';
import {
  bivlc,
  cola,
  colorswap,
  eqben,
  eqbenRandom,
  mmvp,
  naturalbench,
  naturalbenchRetrieval,
} from './formats/benchmarks/crossed';
import { bivlcDecisions } from './formats/benchmarks/decisions';
import { foil } from './formats/benchmarks/foil';
import {
  aroOrder,
  aroOrderHub,
  crepe,
  negbench,
  negbenchRetrieval,
  negclip,
  whatsup,
} from './formats/benchmarks/options';
import {
  aroAttribution,
  aroRelation,
  ccNeg,
  svo,
  valse,
  vlChecklist,
  whatsupSpatial,
} from './formats/benchmarks/pairs';
import { coco } from './formats/coco';
import { composite } from './formats/composite';
import { flickr } from './formats/flickr';
import { flickrAnnotations } from './formats/flickrAnnotations';
import { karpathy } from './formats/karpathy';
import { lgip } from './formats/lgip';
import { options, statements } from './formats/mapped';
import { plain } from './formats/plain';
import { capArena, preference } from './formats/preference';
import { polaris, ratings } from './formats/ratings';
import { rococo } from './formats/rococo';
import { sugarcrepe } from './formats/sugarcrepe';
import { sugarcrepePlus, visla, winoground } from './formats/visla';
import { vsr } from './formats/vsr';

/** The first match wins, so the most specific formats come first. */
export const formats: readonly Format[] = [
  statements,
  options,
  bivlcDecisions,
  bivlc,
  aroRelation,
  aroAttribution,
  aroOrderHub,
  whatsup,
  aroOrder,
  whatsupSpatial,
  valse,
  cola,
  vlChecklist,
  mmvp,
  colorswap,
  eqben,
  eqbenRandom,
  naturalbench,
  naturalbenchRetrieval,
  negbench,
  negbenchRetrieval,
  foil,
  crepe,
  svo,
  ccNeg,
  negclip,
  flickrAnnotations,
  composite,
  capArena,
  polaris,
  karpathy,
  coco,
  lgip,
  sugarcrepePlus,
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
