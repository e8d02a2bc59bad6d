import { CaptiousError } from '../../base/errors';
import { type Fill, fills } from '../../perturb/picture/fill';
import type { OptionSpec, OptionValue } from '../probe';

export const invarianceOptions: readonly OptionSpec[] = [
  {
    key: 'instances',
    describe:
      'A file of outlined objects in the COCO format; by default instances.json, or the one named like the dataset, beside it.',
    default: '',
  },
  {
    key: 'captions',
    describe:
      'Score a made caption of the one object ("There is a dog."), as the paper does, the dataset’s own captions, or both, the second as a slice.',
    default: 'template',
    choices: ['template', 'dataset', 'both'],
  },
  { key: 'spatial', describe: 'Flip, rotate, blur and rearrange the photos.', default: true },
  {
    key: 'societal',
    describe: 'Put adjectives that change nothing that can be seen into the captions.',
    default: true,
  },
  {
    key: 'fill',
    describe:
      'What stands where a moved object stood: nothing (black), what is around it run together, or its texture.',
    default: 'inpaint',
    choices: fills,
  },
  {
    key: 'feather',
    describe: 'Pixels over which a moved object’s edge fades; the paper tries 3.',
    default: 0,
  },
  {
    key: 'fit',
    describe:
      'Leave out a transform that would cut the object off (each), or the whole photo where one of them would (all).',
    default: 'each',
    choices: ['each', 'all'],
  },
  {
    key: 'lexicon',
    describe: 'A lexicon of your own, in the form of the one that ships.',
    default: '',
  },
];

export interface InvarianceOptions {
  instances: string;
  captions: 'template' | 'dataset' | 'both';
  spatial: boolean;
  societal: boolean;
  fill: Fill;
  feather: number;
  fit: 'each' | 'all';
  lexicon: string;
}

export function invarianceOptionsFrom(values: Readonly<Record<string, OptionValue>>): InvarianceOptions {
  const value = (key: string): OptionValue =>
    values[key] ?? invarianceOptions.find((spec) => spec.key === key)!.default;
  const feather = Number(value('feather'));
  if (!(feather >= 0 && feather <= 64))
    throw new CaptiousError('usage', `${JSON.stringify(value('feather'))} is no value of audit.feather.`, {
      remedy: 'Give a number of pixels between 0 and 64.',
    });
  const captions = value('captions');
  return {
    instances: String(value('instances')),
    captions: captions === 'dataset' || captions === 'both' ? captions : 'template',
    spatial: value('spatial') === true,
    societal: value('societal') === true,
    fill: fills.find((fill) => fill === value('fill')) ?? 'inpaint',
    feather,
    fit: value('fit') === 'all' ? 'all' : 'each',
    lexicon: String(value('lexicon')),
  };
}
