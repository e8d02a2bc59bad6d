/** Finds how a graph makes one row of its tokens, and writes a copy of the graph that does it another way. */
import { append } from '../../../base/lists';
import { type Graph, message, type Node, nodeOf, readNodes, withNodes } from './nodes';

/**
 * Which tokens make the row: the first one, that at the last position, the end token, the mean or the maximum of all, the
 * mean of all but the first.
 */
export type TokenPooling = 'first' | 'last' | 'end' | 'mean' | 'max' | 'mean without first';

/** How far from its output a graph may pool. What follows, such as a projection, has fewer nodes. */
const mostNodes = 60;

interface PoolingNode {
  /** The node that makes the row. */
  node: Node;
  pooling: TokenPooling;
  /** The input of the pooling: items × tokens × numbers, or items × numbers × height × width. */
  tokens: string;
  isMap: boolean;
}

/** How the graph pools tokens for one of its outputs, and what it can be changed to. Undefined if neither is known. */
export function poolingOf(
  path: string,
  output: string,
  tower: 'image' | 'text',
): { from: TokenPooling; to: readonly TokenPooling[] } | undefined {
  const graph = readNodes(path);
  const found = graph && findPooling(graph, output);
  if (found === undefined) return undefined;
  if (found.isMap) return { from: found.pooling, to: ['max'] };
  const own: readonly TokenPooling[] = tower === 'text' ? ['last'] : ['mean without first'];
  return { from: found.pooling, to: ['first', ...own, 'mean', 'max'] };
}

/** The parts of a copy of the graph. `mask`: the name of the input that says which tokens are no padding. */
export function withPooling(
  path: string,
  output: string,
  to: TokenPooling,
  mask: string | undefined,
): Uint8Array[] {
  const graph = readNodes(path)!;
  const { node, tokens, isMap } = findPooling(graph, output)!;
  const by = isMap
    ? [nodeOf('GlobalMaxPool', [tokens], node.outputs[0])]
    : nodesOf(to, tokens, node.outputs[0], mask);
  return withNodes(path, graph, [{ node, by }]);
}

/** The pooling that is nearest to the output. What is behind it belongs to the encoder. */
export function findPooling(graph: Graph, output: string): PoolingNode | undefined {
  const waiting = [output];
  const seen = new Set<string>();
  for (const name of waiting) {
    if (seen.has(name) || seen.size >= mostNodes) continue;
    seen.add(name);
    const node = graph.maker.get(name);
    if (node === undefined || node.operator === 'Shape') continue;
    const found = recognise(node, graph);
    if (found !== undefined) return found;
    append(waiting, node.inputs);
  }
  return undefined;
}

function recognise(node: Node, { maker, wholes }: Graph): PoolingNode | undefined {
  const [first, second] = node.inputs;
  const of = (name: string | undefined, ...operators: string[]): Node | undefined => {
    const made = name === undefined ? undefined : maker.get(name);
    return made !== undefined && operators.includes(made.operator) ? made : undefined;
  };
  const found = (pooling: TokenPooling, tokens: string): PoolingNode => ({
    node,
    pooling,
    tokens,
    isMap: false,
  });
  switch (node.operator) {
    case 'Gather': {
      const axis = node.numbers.get('axis')?.[0] ?? 0;
      const index = wholes.get(second);
      if (axis === 1 && index?.rank === 0) return found(index.value === 0 ? 'first' : 'last', first);
      // The rows of all items under each other, of which it takes one for each item.
      const rows = of(first, 'Flatten', 'Reshape');
      const isEnd = axis === 0 && of(of(second, 'Add')?.inputs[0], 'ArgMax') !== undefined;
      return rows !== undefined && isEnd ? found('end', rows.inputs[0]) : undefined;
    }
    case 'GatherND':
      return found('end', first);
    case 'ReduceMean': {
      const axes = node.numbers.get('axes') ?? [wholes.get(second)?.value];
      if (axes.length !== 1 || axes[0] !== 1 || node.numbers.get('keepdims')?.[0] !== 0) return undefined;
      const slice = of(first, 'Slice');
      return slice === undefined ? found('mean', first) : found('mean without first', slice.inputs[0]);
    }
    case 'GlobalAveragePool':
      return { ...found('mean', first), isMap: true };
    case 'Div': {
      // The sum over the tokens that the mask leaves, divided by their number.
      const product = of(of(first, 'ReduceSum', 'Squeeze')?.inputs[0], 'Mul', 'MatMul');
      const tokens = product?.inputs.find((input) => of(input, 'LayerNormalization', 'Add') !== undefined);
      return tokens === undefined ? undefined : found('mean', tokens);
    }
    default:
      return undefined;
  }
}

/** The nodes that make the row `to` of `tokens`. Their operators are the same in all versions of ONNX since 2019. */
function nodesOf(pooling: TokenPooling, tokens: string, to: string, mask: string | undefined): Uint8Array[] {
  const nodes: Uint8Array[] = [];
  const add = (operator: string, inputs: readonly string[], ...attributes: Uint8Array[]): string => {
    const output = `${to}/pooling_${nodes.length}`;
    nodes.push(nodeOf(operator, inputs, output, Buffer.concat(attributes)));
    return output;
  };
  const integers = (values: readonly number[], rank: 0 | 1 = 1): string =>
    add('Constant', [], valueOf(7, BigInt64Array.from(values, BigInt), rank === 0 ? [] : [values.length]));
  const decimal = (value: number): string => add('Constant', [], valueOf(1, Float32Array.of(value), []));
  const nothing = (of: string): string => add('Mul', [of, decimal(0)]);
  const take = (of: string, position: number): void => {
    nodes.push(nodeOf('Gather', [of, integers([position], 0)], to, whole('axis', 1)));
  };
  /** For each token, 1, or 0 if it is padding. */
  const weights = (of: string): string =>
    mask === undefined
      ? add('Add', [nothing(add('Einsum', [of], equation('bld->bl'))), decimal(1)])
      : add('Cast', [mask], whole('to', 1));
  const mean = (of: string, own: string): void => {
    const shares = add('LpNormalization', [own], whole('axis', 1), whole('p', 1));
    nodes.push(nodeOf('Einsum', [of, shares], to, equation('bld,bl->bd')));
  };
  switch (pooling) {
    case 'first':
      take(tokens, 0);
      break;
    case 'last':
    case 'end':
      take(tokens, -1);
      break;
    case 'mean':
      mean(tokens, weights(tokens));
      break;
    case 'mean without first': {
      const rest = add('Slice', [tokens, integers([1]), integers([2 ** 31 - 1]), integers([1])]);
      mean(rest, add('Add', [nothing(add('Einsum', [rest], equation('bld->bl'))), decimal(1)]));
      break;
    }
    case 'max': {
      // Padding is far below all tokens.
      const below = add('Mul', [add('Sub', [weights(tokens), decimal(1)]), decimal(1e9)]);
      const ones = add('Add', [nothing(tokens), decimal(1)]);
      const real = add('Add', [tokens, add('Einsum', [ones, below], equation('bld,bl->bld'))]);
      const values = add('TopK', [real, integers([1])], message(2, `${to}/positions`), whole('axis', 1));
      take(values, 0);
    }
  }
  return nodes;
}

export function whole(name: string, value: number): Uint8Array {
  // The type of the attribute is INT, 2.
  return message(5, Buffer.concat([message(1, name), Buffer.from([3 << 3, value, 0xa0, 1, 2])]));
}

function equation(text: string): Uint8Array {
  // The type of the attribute is STRING, 3.
  return message(5, Buffer.concat([message(1, 'equation'), message(4, text), Buffer.from([0xa0, 1, 3])]));
}

/** The attribute `value` of a constant. `type` is TensorProto's number of the element type. */
export function valueOf(
  type: number,
  values: BigInt64Array | Float32Array,
  dims: readonly number[],
): Uint8Array {
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const sizes = dims.flatMap((dim) => [1 << 3, dim]);
  const tensor = Buffer.concat([Buffer.from([...sizes, 2 << 3, type]), message(9, data)]);
  // The type of the attribute is TENSOR, 4.
  return message(5, Buffer.concat([message(1, 'value'), message(5, tensor), Buffer.from([0xa0, 1, 4])]));
}
