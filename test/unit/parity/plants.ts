import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../src/base/outcome';
import type { Bench } from '../../../src/bench/bench';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { Family } from '../../../src/evaluator/model/family';
import { openEvaluator } from '../../../src/evaluator/open';
import { scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import { compareForParity, type Parity } from '../../../src/parity/parity';
import type { ImageItem, Want } from '../../../src/protocol/item';
import type { Setting } from '../../../src/parity/change';

type Json = Record<string, unknown>;

/** One difference of B from A, made without the code that searches for it. */
export interface Plant {
  setting: Setting;
  /** Changes files of the copy of A's folder that B is. */
  files?: (edit: (file: string, change: (json: Json) => void) => void) => void;
  /** The folder with the images as B's program reads them. */
  images?: 'turned' | 'flattened' | 'aliased';
  caption?: (text: string) => string;
  score?: (score: number) => number;
  /** How B computes a score from the embeddings of the image and the caption. */
  product?: (image: Float32Array, text: Float32Array) => number;
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
const tokens = (setting: Setting, change: (json: Json) => void): Plant => ({
  setting,
  files: (edit) => edit('tokenizer_config.json', change),
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
    exponential: onlyScores('scale', (score) => Math.exp(5 * score)),
    rounding: onlyScores('rounding', (score) => Math.round(score * 1000) / 1000),
    antialiasing: { setting: 'resizing', images: 'aliased' },
    'crop rounding': {
      setting: 'cropRounding',
      files: (edit) => edit('open_clip_config.json', (json) => (json.preprocess_cfg = { size: side })),
    },
    truncation: tokens('truncation', (json) => (json.truncation_side = 'left')),
    whitespace: { setting: 'whitespace', caption: (text) => text.trim().split(/\s+/).join(' ') },
    padding: tokens('padding', (json) => (json.padding_side = 'left')),
    'dot product': { setting: 'normalisation', product: dot },
    float16: {
      setting: 'precision',
      product: (image, text) => {
        const [a, b] = [image.map(half), text.map(half)];
        return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
      },
    },
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Rounds to 11 significant bits, half to even. Embeddings have no numbers near the limits of float16. */
function half(value: number): number {
  if (value === 0) return 0;
  const unit = 2 ** Math.max(-24, Math.floor(Math.log2(Math.abs(value))) - 10);
  const [low, rest] = [Math.floor(value / unit), (value / unit) % 1];
  const isUp = Math.abs(rest) === 0.5 ? low % 2 !== 0 : value / unit - low > 0.5;
  return (low + (isUp ? 1 : 0)) * unit;
}

const ownTokenizer: readonly Setting[] = ['case', 'specialTokens', 'truncation'];

function uncased(normalizer: Json): Json {
  if (normalizer.type === 'BertNormalizer') return { ...normalizer, lowercase: false };
  const inner = (normalizer.normalizers as Json[] | undefined) ?? [];
  return { ...normalizer, normalizers: inner.filter(({ type }) => type !== 'Lowercase') };
}

/** Compares A with a column of scores, which a copy of A with the plants gave. */
export class Planting {
  constructor(
    private readonly folder: string,
    private readonly model: string,
    private readonly dataset: string,
    private readonly bench: Bench,
    private readonly a: Family,
    private readonly home: string,
  ) {}

  async compare(plants: readonly Plant[], seed = 1): Promise<Parity> {
    const b = await this.scoresOf(plants);
    const signal = new AbortController().signal;
    const dataset = await openDataset(this.dataset, {});
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
    for (const line of readFileSync(this.dataset, 'utf8').split('\n')) {
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
    const product = plants.find((plant) => plant.product !== undefined)?.product;
    const outcomes =
      product === undefined
        ? await this.bench.scores(evaluator, wants)
        : await this.products(evaluator, wants, product);
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
  private async products(
    evaluator: Evaluator,
    wants: readonly Want[],
    product: NonNullable<Plant['product']>,
  ): Promise<Outcome<number>[]> {
    const images = await this.bench.embeddings(
      evaluator,
      wants.map(({ left }) => left),
    );
    const texts = await this.bench.embeddings(
      evaluator,
      wants.map(({ right }) => right),
    );
    return images.map((image, i) => {
      const text = texts[i];
      if (!image.ok) return image;
      return text.ok ? { ok: true, value: product(image.value, text.value) } : text;
    });
  }
}
