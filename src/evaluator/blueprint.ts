import { createHash } from 'node:crypto';
import type { Fingerprints } from '../base/fingerprints';
import { Engine, type EngineOptions } from './engine';
import type { Evaluator, EvaluatorInfo } from './evaluator';
import { ImageTower, type ImageTowerSpec } from './imageTower';
import type { ModelFolder } from './modelFolder';
import { type RuntimeOptions, runtimeVersion } from './runtime';
import { TextTower, type TextTowerSpec } from './textTower';

/** How to make an evaluator of a folder, found out without loading any weights. */
export interface Blueprint extends Pick<
  EvaluatorInfo,
  'kind' | 'scores' | 'scale' | 'prefix' | 'precision' | 'notes' | 'dimension'
> {
  text?: { graph: string; spec: TextTowerSpec };
  image?: { graph: string; spec: ImageTowerSpec };
}

/** Changed whenever this code gives another embedding for the same files. */
const towerVersion = 1;

export async function describeInfo(
  folder: ModelFolder,
  id: string,
  blueprint: Blueprint,
  { provider }: RuntimeOptions,
  fingerprints: Fingerprints,
): Promise<EvaluatorInfo> {
  const { text, image, ...said } = blueprint;
  const sha256 = await folder.sha256(fingerprints);
  const key = (tower: string, spec: unknown): string =>
    createHash('sha256')
      .update(
        JSON.stringify([tower, towerVersion, sha256, spec, blueprint.precision, provider, runtimeVersion()]),
      )
      .digest('hex');
  return {
    ...said,
    id,
    name: nameOf(folder, id),
    path: folder.path,
    sha256,
    provider,
    ...(text === undefined ? {} : { textKey: key('text', text.spec) }),
    ...(image === undefined ? {} : { imageKey: key('image', image.spec) }),
  };
}

function nameOf(folder: ModelFolder, id: string): string {
  const named = folder.json('captious.json')?.name ?? folder.json('config.json')?._name_or_path;
  return typeof named === 'string' && named !== '' ? named : id;
}

/** The evaluator itself; its process starts with the first embedding. */
export function buildEvaluator(
  folder: ModelFolder,
  info: EvaluatorInfo,
  { text, image }: Blueprint,
  { threads, provider }: RuntimeOptions,
  engineOptions?: EngineOptions,
): Evaluator & { engine: Engine } {
  const engine = new Engine(engineOptions);
  const evaluator: Evaluator & { engine: Engine } = { info, engine, close: () => engine.close() };
  if (text !== undefined) {
    const tower = new TextTower(engine, folder, { path: text.graph, threads, provider }, text.spec);
    evaluator.measureTexts = (texts) => Promise.resolve(tower.measure(texts));
    evaluator.embedTexts = (texts, signal) => tower.embed(texts, signal);
  }
  if (image !== undefined) {
    const tower = new ImageTower(engine, { path: image.graph, threads, provider }, image.spec);
    evaluator.embedImages = (images, signal) => tower.embed(images, signal);
  }
  return evaluator;
}
