import { sha256Of } from '../../base/files/sha256';
import { say } from '../../base/say';
import type { NameFolders } from '../../dataset/images/nameFolders';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Fingerprints } from '../../base/files/fingerprints';
import { Engine } from '../native/engine';
import { Engines, type EnginesOptions, processesFor } from '../native/engines';
import type { Evaluator, EvaluatorInfo } from '../evaluator';
import { ItmScorer, type PairSpec } from './itmScorer';
import { batchesAhead, ImageTower, type ImageTowerSpec } from './imageTower';
import { objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { GraphRef } from '../../protocol/native';
import { type Runtime, runtimeVersion } from './runtime';
import { RegionFiles } from './regionFiles';
import { TokenSource } from './tokenSource';
import { TextTower, type TextTowerSpec } from './textTower';

/** How to build an evaluator from a folder, decided without loading weights. */
export interface Blueprint extends Pick<
  EvaluatorInfo,
  'kind' | 'scores' | 'scale' | 'prefix' | 'precision' | 'notes' | 'dimension'
> {
  text?: { graph: string; spec: TextTowerSpec };
  image?: { graph: string; spec: ImageTowerSpec };
  /** `regionFiles`: the names and paths of the files with region features, if the model reads them. */
  pair?: { graph: string; spec: PairSpec; regionFiles?: readonly (readonly [name: string, path: string])[] };
}

/** Increase this number when the code computes different embeddings from the same files. Store keys include it. */
const towerVersion = 1;

export async function describeInfo(
  folder: ModelFolder,
  id: string,
  blueprint: Blueprint,
  { provider }: Runtime,
  fingerprints: Fingerprints,
): Promise<EvaluatorInfo> {
  const { text, image, pair, ...said } = blueprint;
  const files = await folder.sha256(fingerprints);
  const regions = pair?.spec.regionsSha256;
  const sha256 =
    regions === undefined ? files : createHash('sha256').update(`${files}\n${regions}\n`).digest('hex');
  const key = (tower: string, spec: unknown): string =>
    sha256Of([tower, towerVersion, sha256, spec, blueprint.precision, provider, runtimeVersion()]);
  const notes = [...said.notes];
  if (provider !== 'cpu') notes.push(say('model.providerBatchEffect', provider));
  const original = stringAt(objectAt(folder.json('captious.json'), 'optimized'), 'from');
  if (original !== undefined) notes.push(say('model.optimizedGraph', original.slice(0, 12)));
  return {
    ...said,
    notes,
    id,
    name: nameOf(folder, id),
    path: folder.path,
    sha256,
    provider,
    ...(text === undefined ? {} : { textKey: key('text', text.spec) }),
    ...(image === undefined ? {} : { imageKey: key('image', image.spec) }),
    ...(pair === undefined ? {} : { pairKey: key('pair', pair.spec) }),
  };
}

function nameOf(folder: ModelFolder, id: string): string {
  const named = folder.json('captious.json')?.name ?? folder.json('config.json')?._name_or_path;
  return typeof named === 'string' && named !== '' ? named : id;
}

/** For up to this many texts, one process is enough. */
const textsPerProcess = 32;

/** Processes that several evaluators of one folder use. Whoever started them closes them. */
export interface SharedProcesses {
  engines: Engines;
  tokenizer: Engine;
}

/** Builds the evaluator. Its processes start at the first request. */
export function buildEvaluator(
  folder: ModelFolder,
  info: EvaluatorInfo,
  { text, image, pair }: Blueprint,
  runtime: Runtime,
  { shared, ...options }: EnginesOptions & { shared?: SharedProcesses } = {},
  /** The folders in the image names of the dataset. */
  imageFolders?: NameFolders,
): Evaluator & { engines: Engines } {
  // For models that read images, a second process would double the memory for decoded images and layer outputs.
  const parallel =
    options.processes ??
    (image === undefined && pair === undefined ? processesFor(folder.size(), runtime) : 1);
  const engines = shared?.engines ?? new Engines(parallel, options);
  const evaluator: Evaluator & { engines: Engines } = {
    info,
    parallel,
    ...(image === undefined || runtime.provider === 'cpu'
      ? {}
      : { ahead: batchesAhead(availableParallelism()) }),
    engines,
    close: async () => {
      if (shared === undefined) await Promise.all([engines.close(), tokenizer.close()]);
    },
  };
  const tokenizer = shared?.tokenizer ?? new Engine(options);
  const ref = (path: string): GraphRef => ({
    path,
    threads: Math.max(1, Math.floor(runtime.threads / parallel)),
    provider: runtime.provider,
    ...(runtime.profile === undefined ? {} : { profile: runtime.profile }),
  });
  if (text !== undefined) {
    const tokens = new TokenSource(tokenizer, folder.path, text.spec.rules);
    const graph = ref(text.graph);
    const tower = new TextTower(engines, tokens, folder, graph, text.spec);
    evaluator.expectTexts = (count) => engines.open(graph, Math.ceil(count / textsPerProcess));
    evaluator.measureTexts = (texts, signal) => tokens.measure(texts, signal);
    evaluator.embedTexts = (texts, signal) => tower.embed(texts, signal);
  }
  if (image !== undefined) {
    const tower = new ImageTower(engines, folder, ref(image.graph), image.spec);
    evaluator.embedImages = (images, signal) => tower.embed(images, signal);
  }
  if (pair !== undefined) {
    const tokens = new TokenSource(tokenizer, folder.path, pair.spec.rules);
    const regions = pair.regionFiles && new RegionFiles(pair.regionFiles, imageFolders);
    const scorer = new ItmScorer(engines, tokens, folder, ref(pair.graph), pair.spec, regions);
    if (regions !== undefined) {
      const { partly: partlyKnown } = regions;
      Object.assign(evaluator, { partlyKnown, knowsImage: (name: string) => regions.knows(name) });
    }
    evaluator.measureTexts = (texts, signal) => tokens.measure(texts, signal);
    evaluator.scorePairs = (pairs, signal) => scorer.score(pairs, signal);
  }
  return evaluator;
}
