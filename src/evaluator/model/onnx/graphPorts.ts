import { CaptiousError, evaluatorError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';

/** An input or output of a graph. A variable dimension is its name, or undefined if it has none. */
export interface GraphPort {
  name: string;
  type: string;
  shape: readonly (number | string | undefined)[];
}

/** The declarations of an ONNX file, or of a model on a server. */
export interface GraphHeader {
  path: string;
  inputs: readonly GraphPort[];
  outputs: readonly GraphPort[];
  /** The operators of the graph and of the functions in its file. */
  operators: ReadonlySet<string>;
  /** The element type and the size in bytes of each weight. */
  weights: ReadonlyMap<string, { type: string; bytes: number }>;
  /** The values of weights with a single float32 number, by name. */
  scalars: ReadonlyMap<string, number>;
  /** External weight files, relative to the graph's folder. */
  external: readonly string[];
}

/** The most rows that a graph may require per call. */
export const mostRows = 4096;
/** The longest padding that a graph may require. */
const mostTokens = 1 << 16;
/** The most numbers in one input or output, enough for 64 images of 800×800 pixels. */
const mostNumbers = 1 << 27;
const mostAxes = 8;

/** Throws for inputs and outputs that exceed the limits above, because files and servers may declare any size. */
export function checkPorts(graph: GraphHeader): GraphHeader {
  for (const port of [...graph.inputs, ...graph.outputs]) {
    const { name, shape } = port;
    const known = shape.filter((dim) => typeof dim === 'number');
    const numbers = known.reduce((product, dim) => product * dim, 1);
    const [rows] = shape;
    const isInput = graph.inputs.includes(port);
    if (shape.length > mostAxes) throw wrong(graph, port, say('model.portTooManyAxes', mostAxes));
    if (known.some((dim) => !Number.isSafeInteger(dim) || dim < 1))
      throw wrong(graph, port, say('model.portAxisInvalid'));
    if (isInput && typeof rows === 'number' && rows > mostRows)
      throw wrong(graph, port, say('model.portTooManyRows', mostRows));
    if (numbers > mostNumbers) throw wrong(graph, port, say('model.portTooManyNumbers', mostNumbers));
    const length = shape[1];
    if (name === 'input_ids' && typeof length === 'number') checkLength(length, graph.path);
  }
  return graph;
}

export function checkLength(tokens: number, at: string): void {
  if (Number.isSafeInteger(tokens) && tokens >= 1 && tokens <= mostTokens) return;
  throw new CaptiousError('evaluator', say('model.paddingUnsupported', tokens), {
    at,
    remedy: say('model.exportSupportedLength', mostTokens),
  });
}

function wrong({ path }: GraphHeader, { name, type, shape }: GraphPort, why: Words): CaptiousError {
  return evaluatorError(
    say(
      'model.portUnusable',
      name,
      type,
      shape
        .slice(0, mostAxes)
        .map((dim) => dim ?? '?')
        .join(', '),
      why,
    ),
    say('model.exportOrCheckServer'),
    path,
  );
}
