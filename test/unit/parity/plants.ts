import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, extname, join } from 'node:path';
import sharp from 'sharp';
import type { Bench } from '../../../src/bench/bench';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { Family } from '../../../src/evaluator/model/family';
import { openEvaluator } from '../../../src/evaluator/open';
import { scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import type { Setting } from '../../../src/parity/changes';
import { compareForParity, type Parity } from '../../../src/parity/parity';
import type { ImageItem, Want } from '../../../src/protocol/item';

type Json = Record<string, unknown>;

/** One difference of B from A, made without the code that searches for it. */
export interface Plant {
  setting: Setting;
  /** Changes files of the copy of A's folder that B is. */
  files?: (edit: (file: string, change: (json: Json) => void) => void) => void;
  /** The folder with the images as B's program reads them. */
  images?: 'turned' | 'flattened';
  caption?: (text: string) => string;
  score?: (score: number) => number;
}

const onlyScores = (setting: Setting, score: (score: number) => number): Plant => ({ setting, score });
const processor = (setting: Setting, change: (json: Json) => void): Plant => ({
  setting,
  files: (edit) => edit('preprocessor_config.json', change),
});
const option = (setting: Setting, change: (json: Json) => void): Plant => ({
  setting,
  files: (edit) => edit('captious.json', change),
});
const tokenizer = (setting: Setting, change: (json: Json) => void): Plant => ({
  setting,
  files: (edit) => edit('tokenizer.json', change),
});

/** For models whose images are square with this side. `limit` must truncate some captions. */
export function plantsFor(side: number, limit: number): Record<string, Plant> {
  return {
    filter: processor('filter', (json) => Object.assign(json, { resample: 2 })),
    torchvision: option('resizing', (json) => Object.assign(json, { image: { resize: 'torchvision' } })),
    shape: processor('shape', (json) =>
      Object.assign(json, { do_center_crop: false, size: { height: side, width: side } }),
    ),
    'larger side': processor('shape', (json) =>
      Object.assign(json, {
        do_center_crop: true,
        size: { shortest_edge: Math.round(side / 0.875) },
        crop_size: { height: side, width: side },
      }),
    ),
    constants: processor('constants', (json) =>
      Object.assign(json, { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] }),
    ),
    channels: processor('channels', (json) => Object.assign(json, { do_flip_channel_order: true })),
    exif: { setting: 'exif', images: 'turned' },
    alpha: { setting: 'alpha', images: 'flattened' },
    prefix: option('prefix', (json) => Object.assign(json, { prefix: 'A photo of ' })),
    limit: option('limit', (json) => Object.assign(json, { text: { maxLength: limit } })),
    case: tokenizer('case', (json) => (json.normalizer = uncased(json.normalizer as Json))),
    punctuation: { setting: 'punctuation', caption: (text) => text.replace(/[.]$/, '') },
    'special tokens': tokenizer('specialTokens', (json) => (json.post_processor = null)),
    weight: onlyScores('scale', (score) => 100 * score),
    clipping: onlyScores('scale', (score) => 2.5 * Math.max(score, 0)),
    offset: onlyScores('scale', (score) => (1 + score) / 2),
    sigmoid: option('scale', (json) =>
      Object.assign(json, { scale: { name: 'sigmoid', factor: 10, bias: -2 } }),
    ),
    rounding: onlyScores('rounding', (score) => Math.round(score * 1000) / 1000),
  };
}

const ownTokenizer: readonly Setting[] = ['case', 'specialTokens'];

function uncased(normalizer: Json): Json {
  if (normalizer.type === 'BertNormalizer') return { ...normalizer, lowercase: false };
  const inner = (normalizer.normalizers as Json[] | undefined) ?? [];
  return { ...normalizer, normalizers: inner.filter(({ type }) => type !== 'Lowercase') };
}

/** A folder with a dataset of real images, of which some have an EXIF orientation and some are transparent. */
export async function makeDataset(
  folder: string,
  samples: string,
  images: number,
): Promise<{ dataset: string; turned: string; flattened: string }> {
  const [own, turned, flattened] = ['images', 'turned', 'flattened'].map((name) => join(folder, name));
  for (const path of [own, turned, flattened]) mkdirSync(path);
  const byImage = new Map<string, string[]>();
  for (const line of readFileSync(join(samples, 'captions.jsonl'), 'utf8').trim().split('\n')) {
    const { image, caption } = JSON.parse(line) as { image: string; caption: string };
    byImage.set(image, [...(byImage.get(image) ?? []), caption]);
  }
  const rows: object[] = [];
  for (const [i, [image, captions]] of [...byImage].slice(0, images).entries()) {
    const file = join(samples, 'images', image);
    const name = i % 4 === 1 ? `${basename(image, extname(image))}.png` : image;
    for (const caption of captions.slice(0, 2)) rows.push({ image: name, caption });
    for (const path of [own, turned, flattened]) cpSync(file, join(path, name));
    if (i % 4 === 0)
      await sharp(file)
        .withMetadata({ orientation: 6 })
        .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
        .toFile(join(own, name));
    if (i % 4 === 0) {
      const { data, info } = await sharp(join(own, name)).raw().toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const png = sharp(data, { raw: { width, height, channels: 3 } }).png();
      await png.toFile(join(turned, name));
      cpSync(join(own, name), join(flattened, name));
    }
    if (i % 4 === 1) {
      const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      const white = Buffer.alloc((data.length / 4) * 3);
      for (let at = 0, to = 0; at < data.length; at += 4) {
        // The upper left part of the image is transparent.
        const clear = (at / 4) % info.width < info.width / 2;
        if (clear) data[at + 3] = 0;
        for (let c = 0; c < 3; c++) white[to++] = clear ? 255 : data[at + c];
      }
      const raw = { width: info.width, height: info.height };
      await sharp(data, { raw: { ...raw, channels: 4 } })
        .png()
        .toFile(join(own, name));
      cpSync(join(own, name), join(turned, name));
      await sharp(white, { raw: { ...raw, channels: 3 } })
        .png()
        .toFile(join(flattened, name));
    }
  }
  const dataset = join(folder, 'captions.jsonl');
  writeFileSync(dataset, rows.map((row) => JSON.stringify(row)).join('\n'));
  return { dataset, turned, flattened };
}

/** Compares A with a column of scores, which a copy of A with the plants gave. */
export class Planting {
  constructor(
    private readonly folder: string,
    private readonly model: string,
    private readonly data: { dataset: string; turned: string; flattened: string },
    private readonly bench: Bench,
    private readonly a: Family,
    private readonly home: string,
  ) {}

  async compare(plants: readonly Plant[], seed = 1): Promise<Parity> {
    const b = await this.scoresOf(plants);
    const signal = new AbortController().signal;
    const dataset = await openDataset(this.data.dataset, {});
    const finder = createImageFinder({ dataset, folders: [join(this.folder, 'images')], signal });
    return compareForParity({ a: this.a, b, bench: this.bench, dataset, finder, pairs: 200, seed, signal });
  }

  /** Opens B's folder. The processes of A run it, which saves time, unless its tokenizer differs. */
  private async open(path: string, plants: readonly Plant[]): Promise<Evaluator> {
    if (plants.some(({ files, setting }) => files !== undefined && ownTokenizer.includes(setting)))
      return openEvaluator(path, { home: this.home });
    const b = await Family.describe(path, { home: this.home });
    await b.close();
    const evaluator = await this.a.vary(b.blueprint.image.spec, b.blueprint.text.spec);
    const { prefix, scale } = b.info;
    return Object.assign(evaluator, { info: { ...evaluator.info, prefix, scale } });
  }

  private async scoresOf(plants: readonly Plant[]): Promise<Evaluator> {
    const path = mkdtempSync(join(this.folder, 'b-'));
    cpSync(this.model, path, { recursive: true, filter: (file) => !file.endsWith('.onnx') });
    for (const name of readdirSync(join(this.model, 'onnx')))
      symlinkSync(join(this.model, 'onnx', name), join(path, 'onnx', name));
    const edit = (file: string, change: (json: Json) => void): void => {
      let json: Json = {};
      try {
        json = JSON.parse(readFileSync(join(path, file), 'utf8')) as Json;
      } catch {
        // Most models have no captious.json.
      }
      change(json);
      writeFileSync(join(path, file), JSON.stringify(json));
    };
    for (const { files } of plants) files?.(edit);
    const evaluator = await this.open(path, plants);
    const wants: Want[] = [];
    const own: Want[] = [];
    for (const line of readFileSync(this.data.dataset, 'utf8').split('\n')) {
      const { image, caption } = JSON.parse(line) as { image: string; caption: string };
      const as = plants.find(({ images }) => images !== undefined)?.images ?? 'images';
      const text = plants.reduce((edited, plant) => plant.caption?.(edited) ?? edited, caption);
      const item = (file: string): ImageItem => ({
        kind: 'image',
        source: { name: image, path: file },
        transforms: [],
      });
      wants.push({ left: item(join(this.folder, as, image)), right: { kind: 'text', text } });
      own.push({ left: item(''), right: { kind: 'text', text: caption } });
    }
    const outcomes = await this.bench.scores(evaluator, wants);
    await evaluator.close();
    const scores = new Map(
      own.map((want, i): [string, number] => {
        const outcome = outcomes[i];
        const score = outcome.ok ? outcome.value : NaN;
        return [wantKey(want), plants.reduce((value, plant) => plant.score?.(value) ?? value, score)];
      }),
    );
    return scoresEvaluator({ path: 'scores.csv', sha256: '', scores }, ['image-text'], 'b');
  }
}
