import type { ImageSpec, Resizing, ResizeRule, ResampleFilter } from '../protocol/imageSpec';
import type { Change, Setting } from './change';

const filters: readonly ResampleFilter[] = ['bilinear', 'bicubic', 'nearest', 'lanczos', 'box'];
const waysToResize: readonly Resizing[] = ['pillow', 'torchvision', 'aliased'];

type Constants = Pick<ImageSpec, 'rescale' | 'mean' | 'std'>;

/** The usual constants of CLIP, ImageNet and the Inception family, and two common mistakes. */
const constants: readonly Constants[] = [
  of([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]),
  of([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
  of([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
  of([0, 0, 0], [1, 1, 1]),
  { ...of([0, 0, 0], [1, 1, 1]), rescale: 1 },
];

/** The share of the resized side that the crop keeps. */
const kept = [1, 0.95, 0.9, 0.875];

export function imageChanges(own: ImageSpec, other: ImageSpec | undefined): Change[] {
  const change = (
    setting: Setting,
    name: (spec: ImageSpec) => string,
    image: (spec: ImageSpec) => ImageSpec,
  ): Change => ({ setting, tower: 'image', from: name(own), to: name(image(own)), image });
  return [
    ...shapes(own, other).map((shape) => change('shape', shapeName, (spec) => reshaped(spec, shape))),
    ...(own.resize === undefined && own.patches === undefined
      ? []
      : [
          ...filters.map((filter) => change('filter', filterOf, (spec) => filtered(spec, filter))),
          ...waysToResize.map((by) =>
            change(
              'resizing',
              ({ resampler }) => resampler ?? 'pillow',
              (spec) => ({ ...spec, resampler: by === 'pillow' ? undefined : by }),
            ),
          ),
        ]),
    ...([undefined, 'even'] as const).map((halves) =>
      change(
        'cropRounding',
        ({ crop }) => (crop?.halves === 'even' ? 'round half to even' : 'round down'),
        (spec) => (spec.crop === undefined ? spec : { ...spec, crop: { ...spec.crop, halves } }),
      ),
    ),
    ...[...(other === undefined ? [] : [other]), ...constants].map(({ rescale, mean, std }) =>
      change('constants', constantsName, (spec) => ({ ...spec, rescale, mean, std })),
    ),
    change(
      'channels',
      ({ order }) => order,
      (spec) => ({ ...spec, order: spec.order === 'rgb' ? 'bgr' : 'rgb' }),
    ),
    change(
      'exif',
      ({ decoding }) => decoding?.exif ?? 'applied',
      (spec) => ({ ...spec, decoding: { ...spec.decoding, exif: 'ignored' } }),
    ),
    ...(['white', 'black'] as const).map((behind) =>
      change(
        'alpha',
        ({ decoding }) => decoding?.behind ?? 'dropped',
        (spec) => ({ ...spec, decoding: { ...spec.decoding, behind } }),
      ),
    ),
  ];
}

interface Shape {
  rule: ResizeRule;
  crop: ImageSpec['crop'];
}

function shapes({ width, height, patches, crop }: ImageSpec, other: ImageSpec | undefined): Shape[] {
  if (patches !== undefined) return [];
  const box = { width, height };
  const centre = { ...box, ...(crop?.halves === undefined ? {} : { halves: crop.halves }) };
  const own: Shape[] = other?.resize === undefined ? [] : [{ rule: other.resize, crop: other.crop }];
  return [
    ...own.filter(() => other?.width === width && other.height === height),
    { rule: { rule: 'exact', ...box }, crop: undefined },
    ...(width === height
      ? kept.map((share): Shape => ({
          rule: { rule: 'shortest', side: Math.round(width / share) },
          crop: centre,
        }))
      : [{ rule: { rule: 'cover', ...box } as const, crop: centre }]),
    { rule: { rule: 'fit', ...box }, crop: centre },
  ];
}

function reshaped(spec: ImageSpec, { rule, crop }: Shape): ImageSpec {
  return { ...spec, resize: { ...rule, filter: spec.resize?.filter ?? 'bicubic' }, crop };
}

function filtered(spec: ImageSpec, filter: ResampleFilter): ImageSpec {
  if (spec.patches !== undefined) return { ...spec, patches: { ...spec.patches, filter } };
  return spec.resize === undefined ? spec : { ...spec, resize: { ...spec.resize, filter } };
}

function filterOf({ resize, patches }: ImageSpec): string {
  return resize?.filter ?? patches?.filter ?? '–';
}

function shapeName({ resize, crop }: ImageSpec): string {
  const side =
    resize === undefined
      ? '–'
      : resize.rule === 'shortest'
        ? `shorter side ${resize.side}`
        : `${resize.rule} ${resize.width}×${resize.height}`;
  return crop === undefined ? side : `${side}, crop ${crop.width}×${crop.height}`;
}

function constantsName({ rescale, mean, std }: ImageSpec): string {
  const factor = Math.abs(rescale - 1 / 255) < 1e-9 ? '' : `${short(rescale)} · `;
  return `${factor}mean ${mean.map(short).join(' ')}, std ${std.map(short).join(' ')}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function of(mean: ImageSpec['mean'], std: ImageSpec['std']): Constants {
  return { rescale: 1 / 255, mean, std };
}
