/** Finds the activation function of a graph and writes a copy of the graph with another one. */
import { halvesOf } from '../../half';
import { type Graph, message, type Node, nodeOf, readNodes, type Scalar, withNodes } from './nodes';

/** x·Φ(x), its approximation with tanh, and x·σ(1.702x). The names are those of config.json. */
export type Activation = 'gelu' | 'gelu_pytorch_tanh' | 'quick_gelu';
export const activations: readonly Activation[] = ['gelu', 'gelu_pytorch_tanh', 'quick_gelu'];

/** What a node computes from x: about Φ(x), about 2Φ(x) − 1, or the whole activation. */
type Role = 'share' | 'signed' | 'whole';

interface Found {
  node: Node;
  activation: Activation;
  role: Role;
  x: string;
  type: number;
}

/** The activation of the graph, or undefined if Captious cannot change it. */
export function activationOf(path: string): Activation | undefined {
  const graph = survey(path);
  return graph?.found[0].activation;
}

/** The parts of a copy of the graph, in which every activation function is `to`. */
export function withActivation(path: string, to: Activation): Uint8Array[] {
  const { graph, found } = survey(path)!;
  return withNodes(
    path,
    graph,
    found.map(({ node, role, x, type }) => ({ node, by: nodesOf(to, role, x, node.outputs[0], type) })),
  );
}

function survey(path: string): { graph: Graph; found: Found[] } | undefined {
  const graph = readNodes(path);
  if (graph === undefined) return undefined;
  const found = graph.nodes.flatMap(
    (node) => recognise(node, graph.maker, graph.scalars, graph.weights) ?? [],
  );
  return new Set(found.map(({ activation }) => activation)).size === 1 ? { graph, found } : undefined;
}

function recognise(
  node: Node,
  maker: ReadonlyMap<string, Node>,
  scalars: ReadonlyMap<string, Scalar>,
  weights: number,
): Found | undefined {
  /** The other operand of a product, sum or quotient with a constant near `value`. */
  const other = (
    of: Node | undefined,
    operators: readonly string[],
    ...values: number[]
  ): { x: string; type: number } | undefined => {
    if (of === undefined || !operators.includes(of.operator)) return undefined;
    for (const [i, name] of of.inputs.entries()) {
      const scalar = scalars.get(name);
      if (scalar !== undefined && values.some((value) => Math.abs(scalar.value / value - 1) < 2e-3))
        return { x: of.inputs[1 - i], type: scalar.type };
    }
    return undefined;
  };
  const from = maker.get(node.inputs[0]);
  switch (node.operator) {
    case 'Sigmoid': {
      const x = other(from, ['Mul'], 1.702);
      return x && { node, activation: 'quick_gelu', role: 'share', ...x };
    }
    case 'Erf': {
      const x = other(from, ['Mul', 'Div'], Math.SQRT2, Math.SQRT1_2);
      return x && { node, activation: 'gelu', role: 'signed', ...x };
    }
    case 'Tanh': {
      // √(2/π) · (x + 0.044715 · x³)
      const scaled = other(from, ['Mul'], Math.sqrt(2 / Math.PI));
      const sum = scaled && maker.get(scaled.x);
      if (sum?.operator !== 'Add') return undefined;
      const at = sum.inputs.findIndex((name) => other(maker.get(name), ['Mul'], 0.044715) !== undefined);
      if (at === -1) return undefined;
      return {
        node,
        activation: 'gelu_pytorch_tanh',
        role: 'signed',
        x: sum.inputs[1 - at],
        type: scaled!.type,
      };
    }
    case 'Gelu':
    case 'QuickGelu': {
      const gelu = node.approximate === 'tanh' ? 'gelu_pytorch_tanh' : 'gelu';
      const activation = node.operator === 'QuickGelu' ? 'quick_gelu' : gelu;
      return { node, activation, role: 'whole', x: node.inputs[0], type: weights };
    }
    default:
      return undefined;
  }
}

/** The nodes that compute what `role` says of x, with the output `to`. */
function nodesOf(activation: Activation, role: Role, x: string, to: string, type: number): Uint8Array[] {
  const nodes: Uint8Array[] = [];
  const add = (
    operator: string,
    inputs: readonly string[],
    output?: string,
    attributes?: Uint8Array,
  ): string => {
    const name = output ?? `${to}/${activation}_${nodes.length}`;
    nodes.push(nodeOf(operator, inputs, name, attributes));
    return name;
  };
  const constant = (value: number): string => add('Constant', [], undefined, valueOf(value, type));
  const times = (a: string, b: string | number, output?: string): string =>
    add('Mul', [a, typeof b === 'number' ? constant(b) : b], output);
  const plus = (a: string, value: number, output?: string): string =>
    add('Add', [a, constant(value)], output);

  if (activation === 'quick_gelu') {
    const share = add('Sigmoid', [times(x, 1.702)], role === 'share' ? to : undefined);
    if (role === 'signed') plus(times(share, 2), -1, to);
    if (role === 'whole') times(share, x, to);
    return nodes;
  }
  const inner = (): string => {
    if (activation === 'gelu') return times(x, Math.SQRT1_2);
    const cubic = times(times(times(x, x), x), 0.044715);
    return times(add('Add', [x, cubic]), Math.sqrt(2 / Math.PI));
  };
  const operator = activation === 'gelu' ? 'Erf' : 'Tanh';
  const signed = add(operator, [inner()], role === 'signed' ? to : undefined);
  if (role === 'signed') return nodes;
  const share = times(plus(signed, 1), 0.5, role === 'share' ? to : undefined);
  if (role === 'whole') times(share, x, to);
  return nodes;
}

/** The attribute `value` of a constant: one number, without dimensions. */
function valueOf(value: number, type: number): Uint8Array {
  const numbers = Float32Array.of(value);
  const raw = type === 10 ? halvesOf(numbers) : numbers;
  const data = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const tensor = Buffer.concat([Buffer.from([2 << 3, type]), message(9, data)]);
  // The type of the attribute is TENSOR, 4.
  return message(5, Buffer.concat([message(1, 'value'), message(5, tensor), Buffer.from([0xa0, 1, 4])]));
}
