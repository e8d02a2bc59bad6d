import { CaptiousError } from '../../../base/errors';
import { say } from '../../../base/say';

/** An input or output of a graph. A dimension that is free is a name, or undefined where it has none. */
export interface GraphPort {
  name: string;
  type: string;
  shape: readonly (number | string | undefined)[];
}

/** What an ONNX file says about itself, read without loading it: weights are skipped, not read. */
export interface GraphHeader {
  path: string;
  inputs: readonly GraphPort[];
  outputs: readonly GraphPort[];
  /** Kinds of operators, functions included. */
  operators: ReadonlySet<string>;
  /** Element type and size in bytes of each of the weights. */
  weights: ReadonlyMap<string, { type: string; bytes: number }>;
  /** Weights that are one single number, by name. */
  scalars: ReadonlyMap<string, number>;
  /** Files beside it that hold weights, relative to its folder. */
  external: readonly string[];
}

/** Rows that a graph may want at a time. */
export const mostRows = 4096;
/** Tokens that every text may have to be padded to. */
const mostTokens = 1 << 16;
/** Numbers in one input: a batch of 64 pictures of 800 pixels a side. */
const mostNumbers = 1 << 27;
const mostAxes = 8;

/** Refuses what a graph, or a server in its name, says of itself and nothing could be fed or kept. */
export function checkPorts(graph: GraphHeader): GraphHeader {
  for (const port of [...graph.inputs, ...graph.outputs]) {
    const { name, shape } = port;
    const known = shape.filter((dim) => typeof dim === 'number');
    const numbers = known.reduce((product, dim) => product * dim, 1);
    const [rows] = shape;
    const isInput = graph.inputs.includes(port);
    if (shape.length > mostAxes) throw wrong(graph, port, `has more than ${mostAxes} axes`);
    if (known.some((dim) => !Number.isSafeInteger(dim) || dim < 1))
      throw wrong(graph, port, 'has an axis that holds nothing');
    if (isInput && typeof rows === 'number' && rows > mostRows)
      throw wrong(graph, port, `takes more than ${mostRows} rows at a time`);
    if (numbers > mostNumbers) throw wrong(graph, port, `holds more than ${mostNumbers} numbers`);
    const length = shape[1];
    if (name === 'input_ids' && typeof length === 'number') checkLength(length, graph.path);
  }
  return graph;
}

/** Every text is padded to that length. */
export function checkLength(tokens: number, at: string): void {
  if (Number.isSafeInteger(tokens) && tokens >= 1 && tokens <= mostTokens) return;
  throw new CaptiousError('evaluator', say`Every text would be padded to ${tokens} tokens.`, {
    at,
    remedy: say`A text has from 1 to ${mostTokens} tokens. Export the model with a free or a shorter length.`,
  });
}

function wrong({ path }: GraphHeader, { name, type, shape }: GraphPort, why: string): CaptiousError {
  return new CaptiousError(
    'evaluator',
    say`Port ${name} is ${type}[${shape
      .slice(0, mostAxes)
      .map((dim) => dim ?? '?')
      .join(', ')}]: it ${why}.`,
    { at: path, remedy: say`Export the model again, or check that the server serves this model.` },
  );
}
