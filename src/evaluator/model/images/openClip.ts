import { join } from 'node:path';
import type { CaptiousError } from '../../../base/errors';
import { evaluatorError } from '../../../base/errors';
import { type Said, say } from '../../../base/say';
import type { ImageSpec } from '../../../protocol/imageSpec';
import { type Json, numberAt, objectAt, stringAt } from '../json';
import type { ModelFolder } from '../modelFolder';

/* Reads the image preprocessing of an open_clip model from open_clip_config.json. */

const file = 'open_clip_config.json';

/** open_clip's default mean and standard deviation of the pixels, from OpenAI's CLIP. */
const openAiMean = [0.48145466, 0.4578275, 0.40821073];
const openAiStd = [0.26862954, 0.26130258, 0.27577711];

/** The preprocessing of an open_clip model; undefined for other folders. */
export function openClipSpec(
  folder: ModelFolder,
): { spec: Omit<ImageSpec, 'layout'>; at: string; file: string } | undefined {
  const config = folder.json(file);
  if (config === undefined) return undefined;
  const at = join(folder.path, file);
  const cfg = objectAt(config, 'preprocess_cfg') ?? {};
  const wrong = (key: string, remedy: Said): CaptiousError =>
    evaluatorError(say('model.openClipSettingUnreadable', key), remedy, at);

  const vision = objectAt(objectAt(config, 'model_cfg'), 'vision_cfg');
  const ownSize = vision?.image_size ?? undefined;
  const size = pairOf(ownSize ?? cfg.size ?? 224);
  const sizeKey = ownSize === undefined ? 'preprocess_cfg.size' : 'model_cfg.vision_cfg.image_size';
  if (size === undefined) throw wrong(sizeKey, say('model.useOpenClipSize'));
  const mean = tripleOf(cfg.mean ?? openAiMean);
  if (mean === undefined) throw wrong('preprocess_cfg.mean', say('model.useThreeNumbers'));
  const std = tripleOf(cfg.std ?? openAiStd);
  if (std === undefined) throw wrong('preprocess_cfg.std', say('model.useThreeNumbers'));
  const how = stringAt(cfg, 'interpolation') ?? 'bicubic';
  // "random" is for training. In evaluation, open_clip uses bicubic.
  const filter = how === 'random' ? 'bicubic' : how;
  if (filter !== 'bicubic' && filter !== 'bilinear')
    throw wrong('preprocess_cfg.interpolation', say('model.useOpenClipFilter'));
  const [height, width] = size;
  const { resize, crop } = sizing(cfg, { width, height }, filter, () =>
    wrong('preprocess_cfg.resize_mode', say('model.useOpenClipMode')),
  );
  return { spec: { resize, crop, rescale: 1 / 255, mean, std, order: 'rgb', width, height }, at, file };
}

function sizing(
  cfg: Json,
  box: { width: number; height: number },
  filter: 'bicubic' | 'bilinear',
  unknown: () => CaptiousError,
): Pick<ImageSpec, 'resize' | 'crop'> {
  const crop = { ...box, halves: 'even' } as const;
  switch (stringAt(cfg, 'resize_mode') ?? 'shortest') {
    case 'shortest':
      // open_clip ignores its interpolation setting for sizes that are not square.
      return box.width === box.height
        ? { resize: { rule: 'shortest', side: box.width, filter }, crop }
        : { resize: { rule: 'cover', ...box, filter: 'bicubic' }, crop };
    case 'longest':
      return {
        resize: { rule: 'fit', ...box, filter },
        crop: { ...crop, fill: numberAt(cfg, 'fill_color') ?? 0 },
      };
    case 'squash':
      return { resize: { rule: 'exact', ...box, filter }, crop: undefined };
    default:
      throw unknown();
  }
}

function pairOf(value: unknown): [height: number, width: number] | undefined {
  const numbers = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!numbers.every((one): one is number => Number.isInteger(one) && Number(one) > 0)) return undefined;
  if (numbers.length === 1) return [numbers[0], numbers[0]];
  return numbers.length === 2 ? [numbers[0], numbers[1]] : undefined;
}

function tripleOf(value: unknown): [number, number, number] | undefined {
  const numbers = Array.isArray(value) ? (value as unknown[]) : [value, value, value];
  if (!numbers.every((one): one is number => typeof one === 'number')) return undefined;
  return numbers.length === 3 ? [numbers[0], numbers[1], numbers[2]] : undefined;
}
