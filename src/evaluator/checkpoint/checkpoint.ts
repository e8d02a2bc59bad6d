import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readBoundedSync } from '../../base/files/readFile';
import architectures from './architectures.json';
import type { Shapes } from './pickle';
import { readWeights, type Weights } from './weights';

/** The extensions of files with model weights. */
export const weightEndings = ['pt', 'pth', 'bin', 'safetensors'] as const;

/** A Python evaluator for a weight file. */
export interface CheckpointEvaluator {
  /** The value for --evaluator. If the architecture is unknown, `namedArchitecture` adds its name. */
  reference: string;
  name: string;
  size: number;
  /** Whether the evaluator scores images as well as captions. */
  images: boolean;
}

/** The start of each reference whose architecture is unknown. */
const unnamed = 'open_clip:?';

export function needsArchitecture(reference: string): boolean {
  return reference.startsWith(unnamed);
}

export function namedArchitecture(reference: string, model: string): string {
  return `open_clip:${model}?${reference.slice(unnamed.length)}`;
}

export function knownArchitectures(): string[] {
  return Object.values(architectures.models).flat().sort();
}

/** The evaluators for `files`, in order, one per model folder. Skips unreadable or unsupported files. */
export async function checkpointEvaluators(files: readonly string[]): Promise<CheckpointEvaluator[]> {
  const found = new Map<string, CheckpointEvaluator>();
  for (const path of files)
    for (const one of await evaluatorsOf(path).catch(() => [])) found.set(one.reference, one);
  return [...found.values()];
}

async function evaluatorsOf(path: string): Promise<CheckpointEvaluator[]> {
  const { size } = await stat(path);
  const folder = dirname(path);
  const whole = (adapter: string, images: boolean): CheckpointEvaluator[] => [
    { reference: `${adapter}:${folder}`, name: `${basename(folder)} (${adapter})`, size, images },
  ];
  if (existsSync(join(folder, 'open_clip_config.json'))) return whole('open_clip', true);
  if (existsSync(join(folder, 'modules.json'))) return whole('sentence-transformers', false);
  if (existsSync(join(folder, 'config.json'))) {
    const adapter = adapterFor(folder);
    return adapter === undefined ? [] : whole(adapter, true);
  }
  const query = `pretrained=${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  const weights = await readWeights(path);
  const models = modelsOf(weights, basename(path));
  const name = (model: string): string => `${basename(path)} (open_clip ${model})`;
  if (models.length > 0)
    return models.map((model) => ({
      reference: `open_clip:${model}?${query}`,
      name: name(model),
      size,
      images: true,
    }));
  if (!isLikeClip(weights.shapes)) return [];
  return [{ reference: `${unnamed}${query}`, name: name('…'), size, images: true }];
}

/** The supported model types of the transformers library: dual encoders and two image–text matching models. */
const towers = /^(clip|siglip2?|align|altclip|blip|chinese_clip|flava|groupvit|metaclip_2|vilt)$/;

function adapterFor(folder: string): string | undefined {
  const config: unknown = JSON.parse(readBoundedSync(join(folder, 'config.json')).toString('utf8'));
  if (typeof config !== 'object' || config === null) return undefined;
  const type = 'model_type' in config && typeof config.model_type === 'string' ? config.model_type : '';
  const [made] = 'architectures' in config && Array.isArray(config.architectures) ? config.architectures : [];
  if (/ForConditionalGeneration$/.test(String(made)))
    return 'vision_config' in config ? 'vqascore' : undefined;
  return towers.test(type) ? 'transformers' : undefined;
}

/**
 * The open_clip models whose tensors have these shapes, most likely first. The shapes do not reveal the activation
 * function. A TorchScript file (as from OpenAI) or a hint in the file name means QuickGELU.
 */
export function modelsOf({ shapes, isScript }: Weights, file: string): string[] {
  const known: Readonly<Record<string, readonly string[] | undefined>> = architectures.models;
  const models = known[fingerprintOf(shapes)] ?? [];
  const quick = models.filter((name) => name.endsWith('-quickgelu'));
  if (quick.length === 0) return [...models];
  if (isScript || /quick|openai|metaclip|dfn/i.test(file)) return quick;
  return [...models.filter((name) => !quick.includes(name)), ...quick];
}

/** A hash of the tensor names and shapes. test/oracle/evaluator/architectures.py computes the same hash. */
export function fingerprintOf(shapes: Shapes): string {
  const lines = [...shapes]
    .filter(([name, shape]) => shape.length > 0 && !/(attn_mask|position_ids)$/.test(name))
    .map(([name, shape]) => `${name} ${shape.join(',')}\n`);
  return createHash('sha256')
    .update(lines.sort((a, b) => (a < b ? -1 : 1)).join(''))
    .digest('hex')
    .slice(0, 16);
}

/** Whether the tensor names are those of an image encoder and a text encoder of open_clip. */
function isLikeClip(shapes: Shapes): boolean {
  const names = [...shapes.keys()];
  const has = (start: RegExp): boolean => names.some((name) => start.test(name));
  return has(/^visual\./) && has(/^(text\.|transformer\.|token_embedding\.)/) && shapes.has('logit_scale');
}
