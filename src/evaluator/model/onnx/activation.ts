/** Finds the activation function of a graph and writes a copy of the graph with another one. */
import { readBoundedSync } from '../../../base/files/readFile';
import { append } from '../../../base/lists';
import { halvesOf } from '../../half';
import { readGraphHeader } from './onnxHeader';
import { type Field, ProtoFile } from './protoFile';

/** x·Φ(x), its approximation with tanh, and x·σ(1.702x). The names are those of config.json. */
export type Activation = 'gelu' | 'gelu_pytorch_tanh' | 'quick_gelu';
export const activations: readonly Activation[] = ['gelu', 'gelu_pytorch_tanh', 'quick_gelu'];

/** A copy of a larger graph would take too much memory. */
const mostBytes = 1 << 30;

/** What a node computes from x: about Φ(x), about 2Φ(x) − 1, or the whole activation. */
type Role = 'share' | 'signed' | 'whole';

interface Node {
  /** The byte range of the node with its tag. */
  start: number;
  to: number;
  operator: string;
  inputs: string[];
  outputs: string[];
  /** The value of a constant, or of the attribute `approximate`. */
  constant?: Scalar;
  approximate?: string;
}

interface Scalar {
  value: number;
  /** TensorProto's number of the element type: 1 for float32, 10 for float16. */
  type: number;
}

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
  return graph?.found.at(0)?.activation;
}

/** The parts of a copy of the graph, in which every activation function is `to`. */
export function withActivation(path: string, to: Activation): Uint8Array[] {
  const { start, graph, found } = survey(path)!;
  const bytes = readBoundedSync(path, mostBytes);
  const parts: Uint8Array[] = [];
  let from = graph.from;
  for (const { node, role, x, type } of found) {
    append(parts, [bytes.subarray(from, node.start)]);
    append(parts, nodesOf(to, role, x, node.outputs[0], type));
    from = node.to;
  }
  parts.push(bytes.subarray(from, graph.to));
  const length = parts.reduce((total, part) => total + part.length, 0);
  return [bytes.subarray(0, start), head(7, length), ...parts, bytes.subarray(graph.to)];
}

interface Survey {
  /** Where the tag of the graph starts. */
  start: number;
  graph: Field;
  found: Found[];
}

function survey(path: string): Survey | undefined {
  if (readGraphHeader(path).external.length > 0) return undefined;
  const file = new ProtoFile(path);
  try {
    if (file.size > mostBytes) return undefined;
    const fields = [...file.fields(0, file.size)];
    const which = fields.findIndex(({ number }) => number === 7);
    const graph = fields[which];
    let at = graph.from;
    const nodes: Node[] = [];
    const scalars = new Map<string, Scalar>();
    let weights = 1;
    for (const part of file.fields(graph.from, graph.to)) {
      const start = at;
      at = part.to;
      if (part.number === 1) nodes.push(readNode(file, part, start));
      if (part.number !== 5) continue;
      const { name, type, scalar } = readTensor(file, part);
      if (type === 10) weights = type;
      if (scalar !== undefined) scalars.set(name, scalar);
    }
    const maker = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
    for (const { constant, outputs } of nodes) if (constant !== undefined) scalars.set(outputs[0], constant);
    const found = nodes.flatMap((node) => recognise(node, maker, scalars, weights) ?? []);
    if (new Set(found.map(({ activation }) => activation)).size !== 1) return undefined;
    return { start: which === 0 ? 0 : fields[which - 1].to, graph, found };
  } finally {
    file.close();
  }
}

function readNode(file: ProtoFile, at: Field, start: number): Node {
  const node: Node = { start, to: at.to, operator: '', inputs: [], outputs: [] };
  for (const piece of file.fields(at.from, at.to)) {
    if (piece.number === 1) node.inputs.push(file.text(piece));
    else if (piece.number === 2) node.outputs.push(file.text(piece));
    else if (piece.number === 4) node.operator = file.text(piece);
    else if (piece.number === 5)
      for (const part of file.fields(piece.from, piece.to)) {
        if (part.number === 5) {
          const { scalar } = readTensor(file, part);
          if (scalar !== undefined) node.constant = scalar;
        } else if (part.number === 2) node.constant = { value: file.float(part), type: 1 };
        else if (part.number === 4 && part.to - part.from <= 4) node.approximate = file.text(part);
      }
  }
  if (node.operator !== 'Constant') delete node.constant;
  return node;
}

function readTensor(file: ProtoFile, at: Field): { name: string; type: number; scalar?: Scalar } {
  let [name, type, elements] = ['', 0, 1];
  let value: number | undefined;
  for (const field of file.fields(at.from, at.to)) {
    if (field.number === 1)
      for (const dim of field.wire === 0 ? [field.value] : file.varints(field.from, field.to))
        elements *= dim;
    else if (field.number === 2) type = field.value;
    else if (field.number === 8) name = file.text(field);
    else if ((field.number === 4 || field.number === 9) && field.to - field.from === 4)
      value = file.float(field);
    else if (field.number === 9 && field.to - field.from === 2) value = file.half(field);
  }
  const isScalar = elements === 1 && value !== undefined && (type === 1 || type === 10);
  return { name, type, ...(isScalar ? { scalar: { value: value!, type } } : {}) };
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
    const texts = [...inputs.map((input) => message(1, input)), message(2, name), message(4, operator)];
    nodes.push(message(1, Buffer.concat([...texts, attributes ?? Buffer.alloc(0)])));
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

function message(field: number, value: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(value);
  return Buffer.concat([head(field, bytes.length), bytes]);
}

/** The tag and the length of a field. */
function head(field: number, length: number): Uint8Array {
  const bytes = [(field << 3) | 2];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.from([...bytes, rest]);
}
