/** Checks that a graph's input fits the images that the preprocessing makes. */
import { CaptiousError, evaluatorError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';
import type { ImageSpec } from '../../../protocol/imageSpec';
import type { GraphHeader } from '../onnx/graphPorts';

/**
 * Throws unless the input accepts images of `most` patches, each with 3 · `side`² floating-point numbers. An axis
 * of variable length accepts any number.
 */
export function expectPatches(
  graph: GraphHeader,
  input: string,
  most: number,
  side: number,
  at: string,
): void {
  const { shape, type } = graph.inputs.find((port) => port.name === input)!;
  const fits = (dim: number | string | undefined, wanted: number): boolean =>
    typeof dim !== 'number' || dim === wanted;
  const right =
    shape.length === 3 &&
    fits(shape[1], most) &&
    fits(shape[2], side * side * 3) &&
    (type === 'float32' || type === 'float16');
  if (right) return;
  throw evaluatorError(
    say(
      'model.patchInputShape',
      input,
      type,
      shape.map((dim) => dim ?? '?').join(', '),
      most,
      side * side * 3,
    ),
    say('model.checkGraphOfModel', at),
    graph.path,
  );
}

export function layoutOf(
  graph: GraphHeader,
  input: string,
  size: { width: number; height: number },
  at: string,
): ImageSpec['layout'] {
  const { shape, type } = graph.inputs.find((port) => port.name === input)!;
  const wrong = (expected: Words): never => {
    throw new CaptiousError(
      'evaluator',
      say('model.pixelInputShape', input, type, shape.map((dim) => dim ?? '?').join(', '), expected),
      { at: graph.path, remedy: say('model.checkGraphOfModel', at) },
    );
  };
  if (type !== 'float32' && type !== 'float16') wrong(say('model.floatsExpected'));
  if (shape.length !== 4) wrong(say('model.fourAxesExpected'));
  const layout = shape[3] === 3 && shape[1] !== 3 ? 'channels-last' : 'channels-first';
  const [height, width] = layout === 'channels-last' ? [shape[1], shape[2]] : [shape[2], shape[3]];
  const fits = (dim: number | string | undefined, wanted: number): boolean =>
    typeof dim !== 'number' || dim === wanted;
  if (!fits(height, size.height) || !fits(width, size.width))
    wrong(say('model.imageSizeExpected', size.width, size.height));
  return layout;
}
