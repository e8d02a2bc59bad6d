import { join } from 'node:path';
import { evaluatorError } from '../../../base/errors';
import { say, type Words, inARow } from '../../../base/say';
import { type Ask, askFor, noSize } from './missing';
import { openClipSpec } from './openClip';
import { type Defaults, processors, type Triple } from './processors';
import { followed, resamplerOf } from './resampler';
import { expectPatches, layoutOf } from './layout';
import { booleanAt, type Json, numberAt, objectAt, stringAt } from '../json';
import type { ModelFolder } from '../modelFolder';
import type { ImageSpec, ResampleFilter, Resampler } from '../../../protocol/imageSpec';
import type { GraphHeader } from '../onnx/graphPorts';

/** The index of each filter is the filter's number in Pillow. */
const resampleFilters: readonly ResampleFilter[] = [
  'nearest',
  'lanczos',
  'bilinear',
  'bicubic',
  'box',
  'hamming',
];

const asTheyLie = say('model.imagesNormalisedAsStored');

interface ReadImageSpec {
  spec: ImageSpec;
  notes: Words[];
}

/** Reads the image preprocessing from open_clip's configuration, or else from that of the image processor. */
export function readImageSpec(folder: ModelFolder, graph: GraphHeader, input: string): ReadImageSpec {
  const resampler = resamplerOf(folder);
  const openClip = openClipSpec(folder);
  return openClip === undefined
    ? fromProcessor(folder, graph, input, resampler)
    : fromOpenClip(openClip, graph, input, resampler);
}

function fromOpenClip(
  { spec, at, file }: NonNullable<ReturnType<typeof openClipSpec>>,
  graph: GraphHeader,
  input: string,
  resampler: 'torchvision' | undefined,
): ReadImageSpec {
  if (resampler === 'torchvision')
    throw evaluatorError(say('model.openClipUsesPillow'), say('model.removeResize'), at);
  const layout = layoutOf(graph, input, spec, at);
  return {
    spec: { ...spec, layout },
    notes: [say('model.openClipImagesPrepared', describeSize(spec.resize, spec.crop), file, asTheyLie)],
  };
}

function fromProcessor(
  folder: ModelFolder,
  graph: GraphHeader,
  input: string,
  resampler: 'torchvision' | undefined,
): ReadImageSpec {
  const { config, file } = processorConfig(folder);
  const own = resampler === undefined ? {} : { resampler };
  const at = join(folder.path, file);
  const type = stringAt(config, 'image_processor_type') ?? stringAt(config, 'feature_extractor_type') ?? '';
  const base = type.replace(/(ImageProcessor|FeatureExtractor)(Fast|Pil)?$/, '');
  const known = processors[base];
  const ask = askFor(config, type, at);

  const patches = numberAt(config, 'max_num_patches');
  const resize =
    booleanAt(config, 'do_resize') === false || patches !== undefined
      ? undefined
      : readResize(config, known, ask, resampler, at);
  const cropped = booleanAt(config, 'do_center_crop') ?? known?.crop !== undefined;
  const crop = cropped ? readCrop(config, known, ask) : undefined;
  const colours = readColours(config, known, ask);

  const filter = patches === undefined ? undefined : readFilter(config, known, ask, resampler, at);
  if (patches !== undefined && filter !== undefined) {
    const side = numberAt(config, 'patch_size') ?? ask('patch_size', say('model.patchSizeMissing'));
    expectPatches(graph, input, patches, side, at);
    return {
      spec: {
        resize: undefined,
        crop: undefined,
        ...colours,
        layout: 'channels-last',
        width: side,
        height: side,
        patches: { most: patches, filter },
        ...own,
      },
      notes: [
        say('model.imagesInPatches', filter, patches, side, side, file, asTheyLie),
        followed(resampler),
      ],
    };
  }

  const exact = resize?.rule === 'exact' ? resize : undefined;
  const size = crop ?? exact;
  if (size === undefined) throw noSize(config, ask, at);
  const layout = layoutOf(graph, input, size, at);
  const { width, height } = size;
  return {
    spec: { resize, crop, ...colours, layout, width, height, ...own },
    notes: [
      say('model.imagesPrepared', describeSize(resize, crop), file, asTheyLie),
      ...(resize === undefined ? [] : [followed(resampler)]),
      // If include_top is not set, the processor of transformers divides by the standard deviation twice. Captious
      // divides once, as exports without the classification layer expect.
      ...(base === 'EfficientNet' && booleanAt(config, 'include_top') === undefined
        ? [say('model.includeTopUnset', file)]
        : []),
    ],
  };
}

function processorConfig(folder: ModelFolder): { config: Json; file: string } {
  const own = folder.json('preprocessor_config.json');
  if (own !== undefined) return { config: own, file: 'preprocessor_config.json' };
  const nested = objectAt(folder.json('processor_config.json'), 'image_processor');
  if (nested !== undefined) return { config: nested, file: 'processor_config.json' };
  return { config: folder.require('preprocessor_config.json'), file: 'preprocessor_config.json' };
}

/** Reads how pixel values are scaled, and the order of the colour channels. */
function readColours(
  config: Json,
  known: Defaults | undefined,
  ask: Ask,
): Pick<ImageSpec, 'rescale' | 'mean' | 'std' | 'order'> {
  const rescale =
    booleanAt(config, 'do_rescale') === false ? 1 : (numberAt(config, 'rescale_factor') ?? 1 / 255);
  const meanOf = (): Triple =>
    triple(config, 'image_mean') ?? known?.mean ?? ask('image_mean', say('model.pixelMeanMissing'));
  const stdOf = (): Triple =>
    triple(config, 'image_std') ?? known?.std ?? ask('image_std', say('model.pixelDeviationMissing'));
  const normalise = booleanAt(config, 'do_normalize') !== false;
  // Settings of EfficientNet: rescale_offset subtracts 1 after scaling, and include_top divides by the standard
  // deviation a second time.
  const offset = booleanAt(config, 'rescale_offset') === true ? 1 : 0;
  const again = booleanAt(config, 'include_top') === true;
  const mean = each(normalise ? meanOf() : [0, 0, 0], (value) => value + offset);
  const once = normalise ? stdOf() : ([1, 1, 1] as const);
  const std = again ? each(once, (value, channel) => value * stdOf()[channel]) : once;
  const order = booleanAt(config, 'do_flip_channel_order') === true ? 'bgr' : 'rgb';
  return { rescale, mean, std, order };
}

function readResize(
  config: Json,
  known: Defaults | undefined,
  ask: Ask,
  resampler: Resampler | undefined,
  at: string,
): NonNullable<ImageSpec['resize']> {
  const filter = readFilter(config, known, ask, resampler, at);
  const size = objectAt(config, 'size');
  const width = numberAt(size, 'width');
  const height = numberAt(size, 'height');
  if (width !== undefined && height !== undefined) return { rule: 'exact', width, height, filter };
  const side = numberAt(size, 'shortest_edge');
  if (side !== undefined) return { rule: 'shortest', side, longest: numberAt(size, 'longest_edge'), filter };
  const plain = numberAt(config, 'size') ?? (config.size === undefined ? known?.size : undefined);
  if (plain === undefined || known === undefined) return ask('size', say('model.resizeSizeMissing'));
  return known.square
    ? { rule: 'exact', width: plain, height: plain, filter }
    : { rule: 'shortest', side: plain, filter };
}

function readFilter(
  config: Json,
  known: Defaults | undefined,
  ask: Ask,
  resampler: Resampler | undefined,
  at: string,
): ResampleFilter {
  const number = numberAt(config, 'resample');
  const filter = number === undefined ? known?.filter : resampleFilters[number];
  if (number !== undefined && filter === undefined)
    throw evaluatorError(say('model.filterUnknown', number), say('model.setResampleNumber'), at);
  if (filter === undefined) return ask('resample', say('model.filterMissing'));
  if (resampler === 'torchvision' && filter !== 'bilinear' && filter !== 'bicubic')
    throw evaluatorError(say('model.torchvisionFilterUnsupported', filter), say('model.setPillowResize'), at);
  return filter;
}

function readCrop(config: Json, known: Defaults | undefined, ask: Ask): NonNullable<ImageSpec['crop']> {
  const size = objectAt(config, 'crop_size');
  const plain = numberAt(config, 'crop_size') ?? (config.crop_size === undefined ? known?.crop : undefined);
  const width = numberAt(size, 'width') ?? plain;
  const height = numberAt(size, 'height') ?? plain;
  if (width === undefined || height === undefined) return ask('crop_size', say('model.cropSizeMissing'));
  return { width, height };
}

function triple(config: Json, key: string): Triple | undefined {
  const value = config[key];
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [red, green, blue] = value as unknown[];
  if (typeof red !== 'number' || typeof green !== 'number' || typeof blue !== 'number') return undefined;
  return [red, green, blue];
}

function each(values: Triple, change: (value: number, channel: number) => number): Triple {
  return [change(values[0], 0), change(values[1], 1), change(values[2], 2)];
}

function describeSize(resize: ImageSpec['resize'], crop: ImageSpec['crop']): Words {
  const parts: Words[] = [];
  if (resize?.rule === 'exact')
    parts.push(say('model.resizedToSize', resize.width, resize.height, resize.filter));
  if (resize?.rule === 'fit')
    parts.push(say('model.resizedToFit', resize.width, resize.height, resize.filter));
  if (resize?.rule === 'cover')
    parts.push(say('model.resizedToCover', resize.width, resize.height, resize.filter));
  if (resize?.rule === 'shortest') parts.push(say('model.shorterSideResized', resize.side, resize.filter));
  if (crop !== undefined) parts.push(say('model.croppedAtCentre', crop.width, crop.height));
  return inARow(parts, ', ');
}
