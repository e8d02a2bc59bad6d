import { CaptiousError, evaluatorError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { isSaid, say } from '../../base/say';
import { type Blueprint, describeInfo } from './blueprint';
import { describeDualEncoder, sharesSpace } from './dualEncoder';
import type { EvaluatorInfo } from '../evaluator';
import { describeItm, scoresPairs } from './itm';
import { ModelFolder } from './modelFolder';
import type { GraphHeader } from './onnx/graphPorts';
import type { Runtime } from './runtime';
import { describeTextEncoder } from './textEncoder';

/** Describes the evaluator of a model folder without loading the weights. */
export async function describeFolder(
  folder: ModelFolder,
  id: string,
  runtime: Runtime,
  fingerprints: Fingerprints,
  /** The folder of region features, if the model needs region features. */
  regions?: string,
): Promise<{ blueprint: Blueprint; info: EvaluatorInfo }> {
  const blueprint = await describe(folder, runtime.precision, fingerprints, regions);
  const info = await describeInfo(folder, id, blueprint, runtime, fingerprints);
  const isDraft =
    blueprint.precision !== 'float32' && (await hasFloat32(folder, blueprint, fingerprints, regions));
  await fingerprints.flush();
  return { blueprint, info: isDraft ? { ...info, draft: true } : info };
}

/** How the folder says that it has no graphs of a precision. */
const missingGraphs: readonly string[] = ['model.noGraphs', 'model.noGraphsOfPrecision'];

/**
 * Whether the folder has the same model in float32, even damaged. It is described apart, because the hash covers what is
 * read.
 */
async function hasFloat32(
  { path, resampler }: ModelFolder,
  { kind, scores }: Blueprint,
  fingerprints: Fingerprints,
  regions: string | undefined,
): Promise<boolean> {
  try {
    const exact = await describe(new ModelFolder(path, resampler), 'float32', fingerprints, regions);
    return exact.precision === 'float32' && exact.kind === kind && exact.scores.join() === scores.join();
  } catch (error) {
    if (!(error instanceof CaptiousError && error.kind === 'evaluator')) throw error;
    return !(isSaid(error.what) && missingGraphs.includes(error.what.code));
  }
}

/** Determines the kind of model from its graphs, because the name of a model may mislead. */
async function describe(
  folder: ModelFolder,
  precision: string,
  fingerprints: Fingerprints,
  regions: string | undefined,
): Promise<Blueprint> {
  folder.require('config.json');
  const one = folder.graph('model', precision);
  const text = firstGraph(folder, ['text_model_with_projection', 'text_model'], precision);
  const vision = firstGraph(folder, ['vision_model_with_projection', 'vision_model'], precision);
  const takes = (name: string): boolean => one?.inputs.some((input) => input.name === name) ?? false;
  const both = one !== undefined && takes('input_ids') && takes('pixel_values');
  if (text !== undefined && vision !== undefined) {
    // Some folders also contain encoders without projections, whose outputs are not in one space. The whole model
    // is used instead.
    if (!both || sharesSpace(folder, text, vision)) return describeDualEncoder(folder, text, vision, one);
  }
  if (one === undefined) {
    const found = folder.graphFiles();
    throw evaluatorError(
      found.length === 0
        ? say('model.noGraphs')
        : say('model.noGraphsOfPrecision', precision, found.join(', ')),
      say('model.saveGraphs'),
      folder.path,
    );
  }
  if (scoresPairs(folder, one)) return describeItm(folder, one, regions, fingerprints);
  if (both) return describeDualEncoder(folder, one, one, one);
  if (takes('input_ids')) return describeTextEncoder(folder, one);
  throw new CaptiousError('evaluator', say('model.noTextInput'), {
    at: one.path,
    remedy: say('model.useTextModel', one.inputs.map((input) => input.name).join(', ')),
  });
}

function firstGraph(
  folder: ModelFolder,
  bases: readonly string[],
  precision: string,
): GraphHeader | undefined {
  for (const base of bases) {
    const graph = folder.graph(base, precision);
    if (graph !== undefined) return graph;
  }
  return undefined;
}
