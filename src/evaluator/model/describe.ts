import { CaptiousError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { say } from '../../base/say';
import { type Blueprint, describeInfo } from './blueprint';
import { describeDualEncoder, sharesSpace } from './dualEncoder';
import type { EvaluatorInfo } from '../evaluator';
import { describeItm, scoresPairs } from './itm';
import type { ModelFolder } from './modelFolder';
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
  await fingerprints.flush();
  return { blueprint, info };
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
    throw new CaptiousError(
      'evaluator',
      found.length === 0
        ? say`The folder has neither onnx/model.onnx nor the pair onnx/text_model.onnx and onnx/vision_model.onnx.`
        : say`The folder has no complete model with the precision ${precision}. Its ONNX files are ${found.join(', ')}.`,
      {
        at: folder.path,
        remedy: say`Save a single graph as onnx/model.onnx, or two graphs as onnx/text_model.onnx and onnx/vision_model.onnx. Graphs of other precisions have _fp16, _int8 or _q4 in their file names. On the command line, select one with --precision.`,
      },
    );
  }
  if (scoresPairs(folder, one)) return describeItm(folder, one, regions, fingerprints);
  if (both) return describeDualEncoder(folder, one, one, one);
  if (takes('input_ids')) return describeTextEncoder(folder, one);
  throw new CaptiousError(
    'evaluator',
    say`This model does not read text: its graph has no input named input_ids.`,
    {
      at: one.path,
      remedy: say`The graph's inputs are ${one.inputs.map((input) => input.name).join(', ')}. Use a model that reads text.`,
    },
  );
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
