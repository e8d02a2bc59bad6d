import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { type ImageSpec, pixelDims } from '../../protocol/imageSpec';
import type { ConstantFeed, Port } from '../../protocol/native';
import type { ImageTowerSpec } from './imageTower';
import type { GraphHeader, GraphPort } from './onnx/graphPorts';
import { isTextInput, names } from './textTower';

export const pixelInput = 'pixel_values';

export function pixelPort(vision: GraphHeader): GraphPort {
  const port = vision.inputs.find((input) => input.name === pixelInput);
  if (port !== undefined) return port;
  throw new CaptiousError('evaluator', say('model.noPixelInput', pixelInput), {
    at: vision.path,
    remedy: say('model.exportWithPixelInput', names(vision.inputs), pixelInput),
  });
}

/** Inputs for an arbitrary text. A graph with both encoders needs a text even to encode an image. */
export function anyText(graph: GraphHeader, length = 2, rows = 1): ConstantFeed[] {
  return graph.inputs
    .filter((input) => isTextInput(input.name))
    .map(({ name, type }) => ({
      name,
      type: type === 'int32' ? 'int32' : 'int64',
      dims: [rows, length],
      fill: name === 'token_type_ids' || name === 'position_ids' ? 0 : 1,
    }));
}

/** The inputs, besides pixels, of a graph that reads images as patches: the shapes and an optional mask. */
export function patchPorts(vision: GraphHeader): NonNullable<ImageTowerSpec['patchInputs']> {
  const portOf = (name: string): Port | undefined => {
    const found = vision.inputs.find((input) => input.name === name);
    const type = found?.type;
    return type === 'int64' || type === 'int32' ? { name, type } : undefined;
  };
  const shapes = portOf('spatial_shapes');
  const mask = portOf('pixel_attention_mask');
  if (shapes !== undefined) return { shapes, ...(mask === undefined ? {} : { mask }) };
  throw new CaptiousError('evaluator', say('model.noSpatialShapes'), {
    at: vision.path,
    remedy: say('model.exportWithSpatialShapes', names(vision.inputs)),
  });
}

/** Inputs for a blank image. A graph with both encoders needs an image even to encode a text. */
export function anyImage(
  { type }: GraphPort,
  ports: ImageTowerSpec['patchInputs'],
  spec: ImageSpec,
  rows: number,
): ConstantFeed[] {
  const pixels: ConstantFeed = {
    name: pixelInput,
    type: type === 'float16' ? 'float16' : 'float32',
    dims: [rows, ...pixelDims(spec)],
    fill: 0,
  };
  if (ports === undefined || spec.patches === undefined) return [pixels];
  const kind = ({ type }: Port): 'int32' | 'int64' => (type === 'int32' ? type : 'int64');
  const { shapes, mask } = ports;
  const feeds: ConstantFeed[] = [pixels, { name: shapes.name, type: kind(shapes), dims: [rows, 2], fill: 1 }];
  if (mask !== undefined)
    feeds.push({ name: mask.name, type: kind(mask), dims: [rows, spec.patches.most], fill: 1 });
  return feeds;
}

export function refuseForeign(
  text: GraphHeader,
  vision: GraphHeader,
  patches: ImageTowerSpec['patchInputs'],
): void {
  const known = [pixelInput, patches?.shapes.name, patches?.mask?.name];
  for (const graph of new Set([text, vision])) {
    const foreign = graph.inputs.filter(({ name }) => !isTextInput(name) && !known.includes(name));
    if (foreign.length === 0) continue;
    throw new CaptiousError('evaluator', say('model.foreignInputs', names(foreign)), {
      at: graph.path,
      remedy: say('model.exportAsDualEncoder', pixelInput),
    });
  }
}
