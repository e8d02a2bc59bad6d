import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { type Fill, fills } from '../../perturb/image/fill';
import { keepOption, keptPercents } from '../filter/keepOption';
import type { OptionSpec, OptionValue } from '../probe';

const descriptors = ['never', 'plain', 'leaveOut'] as const;

export const invarianceOptions: readonly OptionSpec[] = [
  {
    key: 'instances',
    title: say('invariance.instancesOption'),
    describe:
      'A file of outlined objects in COCO format, or a CSV of boxes of Open Images (…annotations-bbox.csv) with class-descriptions-boxable.csv next to it. Default: instances.json next to the dataset, or instances_val2017.json for captions_val2017.json.',
    default: '',
  },
  {
    key: 'captions',
    title: say('invariance.captionsOption'),
    describe:
      'Captions to score. template: a caption that Captious generates for the largest object, as the paper does ("There is a dog."). dataset: the captions of the dataset. both: both, with the captions of the dataset as a slice. Without a file of outlined objects, Captious always scores the captions of the dataset.',
    default: 'template',
    choices: ['template', 'dataset', 'both'],
  },
  {
    key: 'spatial',
    title: say('invariance.imageChangesOption'),
    describe: 'Flip, rotate and blur the images, and move the object in them.',
    default: true,
  },
  {
    key: 'societal',
    title: say('invariance.wordChangesOption'),
    describe:
      'Add adjectives for invisible properties to generated captions, such as "expensive", and use nouns such as "tourist" in place of "person". Replace such words in captions of the dataset.',
    default: true,
  },
  {
    key: 'fill',
    title: say('invariance.fillOption'),
    describe:
      'How to fill the area that a moved object leaves. none: black. blur: blurred surroundings. inpaint: the surrounding texture, mirrored at the edge. patches: patches of the surroundings (PatchMatch).',
    default: 'patches',
    choices: fills,
  },
  {
    key: 'plain',
    title: say('invariance.plainOption'),
    describe:
      'Largest variation of the colours around a moved object: their standard deviation within 10 pixels, from 0 to 1, without gradual changes. Moves are left out if the surroundings vary more, if one direction around the object is darker by more (a shadow), or if the object touches another one, because the move would leave a visible trace. 1 keeps all moves, as in the paper.',
    default: 0.075,
  },
  {
    key: 'feather',
    title: say('invariance.featherOption'),
    describe: 'Width in pixels of the soft edge of a moved object. The paper also uses 3.',
    default: 0,
  },
  {
    key: 'leastMove',
    title: say('invariance.leastMoveOption'),
    describe:
      'Minimum distance that an object must move, as a share of the image diagonal. 0 allows every move, as in the paper.',
    default: 0.05,
  },
  {
    key: 'descriptor',
    title: say('invariance.nameSideOption'),
    describe:
      'Captions of moved objects if the image has another object of the same kind. never: the plain caption ("There is a dog."). plain: with a side that is true before and after the move ("There is a dog on the left."), otherwise the plain caption. leaveOut: with such a side, otherwise the move is left out.',
    default: 'never',
    choices: descriptors,
  },
  {
    key: 'fit',
    title: say('invariance.fitOption'),
    describe:
      'What to leave out if a transform cannot be used, for example because it would cut off the object: only this transform (each) or every transform of the image (all).',
    default: 'each',
    choices: ['each', 'all'],
  },
  {
    key: 'lexicon',
    title: say('invariance.lexiconOption'),
    describe: 'Your own lexicon: a changed copy of dist/lexicon.json in the folder of Captious.',
    default: '',
  },
  keepOption,
];

export interface InvarianceOptions {
  instances: string;
  captions: 'template' | 'dataset' | 'both';
  spatial: boolean;
  societal: boolean;
  fill: Fill;
  plain: number;
  feather: number;
  leastMove: number;
  descriptor: (typeof descriptors)[number];
  fit: 'each' | 'all';
  lexicon: string;
  /** The percentages that filters keep. */
  keep: readonly number[];
}

export function invarianceOptionsFrom(values: Readonly<Record<string, OptionValue>>): InvarianceOptions {
  const value = (key: string): OptionValue =>
    values[key] ?? invarianceOptions.find((spec) => spec.key === key)!.default;
  const feather = Number(value('feather'));
  if (!(feather >= 0 && feather <= 64))
    throw new CaptiousError('usage', say('invariance.featherInvalid', JSON.stringify(value('feather'))), {
      remedy: say('invariance.useFeatherPixels'),
    });
  const leastMove = Number(value('leastMove'));
  if (!(leastMove >= 0 && leastMove < 1))
    throw new CaptiousError('usage', say('invariance.leastMoveInvalid', JSON.stringify(value('leastMove'))), {
      remedy: say('invariance.useDiagonalShare'),
    });
  const plain = Number(value('plain'));
  if (!(plain >= 0 && plain <= 1))
    throw new CaptiousError('usage', say('invariance.plainInvalid', JSON.stringify(value('plain'))), {
      remedy: say('invariance.useColourSpread'),
    });
  const captions = value('captions');
  return {
    instances: String(value('instances')),
    captions: captions === 'dataset' || captions === 'both' ? captions : 'template',
    spatial: value('spatial') === true,
    societal: value('societal') === true,
    fill: fills.find((fill) => fill === value('fill')) ?? 'patches',
    plain,
    feather,
    leastMove,
    descriptor: descriptors.find((name) => name === value('descriptor')) ?? 'never',
    fit: value('fit') === 'all' ? 'all' : 'each',
    lexicon: String(value('lexicon')),
    keep: keptPercents('invariance', value('keep')),
  };
}
