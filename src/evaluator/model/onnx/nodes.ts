/** Reads the nodes of a graph and writes a copy of the graph with other nodes. */
import { statSync } from 'node:fs';
import { readBoundedSync } from '../../../base/files/readFile';
import { append } from '../../../base/lists';
import { readGraphHeader } from './onnxHeader';
import { type Field, ProtoFile } from './protoFile';

/** A copy of a larger graph would take too much memory. */
const mostBytes = 1 << 30;

/** The byte range of a part of the graph with its tag. */
interface Range {
  start: number;
  to: number;
}

export interface Node extends Range {
  operator: string;
  inputs: string[];
  outputs: string[];
  /** The value of a constant. */
  constant?: Scalar;
  whole?: Whole;
  /** The value of the attribute `approximate`. */
  approximate?: string;
  /** Attributes that are integers or lists of integers. All negative ones are −1. */
  numbers: Map<string, number[]>;
}

export interface Scalar {
  value: number;
  /** TensorProto's number of the element type: 1 for float32, 10 for float16. */
  type: number;
}

/** A constant of one integer. Negative ones are −1. */
interface Whole {
  value: number;
  /** The number of its dimensions. */
  rank: number;
}

export interface Graph {
  /** The version of ONNX's own operators. */
  version: number;
  /** Where the tag of the graph starts. */
  start: number;
  field: Field;
  nodes: Node[];
  /** The node that makes a value. */
  maker: ReadonlyMap<string, Node>;
  scalars: ReadonlyMap<string, Scalar>;
  wholes: ReadonlyMap<string, Whole>;
  /** The type of the weights, as in `Scalar`. */
  weights: number;
  /** The stated types and shapes of the graph's outputs and of values between nodes. */
  stated: (Range & { name: string; isOutput: boolean })[];
}

/** Whether the weights are in the file of the graph, and it is small enough. */
export function isCopyable(path: string): boolean {
  return readGraphHeader(path).external.length === 0 && statSync(path).size <= mostBytes;
}

/** The nodes of a graph. Undefined if it is not copyable. */
export function readNodes(path: string): Graph | undefined {
  if (!isCopyable(path)) return undefined;
  const file = new ProtoFile(path);
  try {
    const fields = [...file.fields(0, file.size)];
    const which = fields.findIndex(({ number }) => number === 7);
    const field = fields[which];
    let at = field.from;
    const nodes: Node[] = [];
    const scalars = new Map<string, Scalar>();
    const wholes = new Map<string, Whole>();
    let weights = 1;
    const stated: Graph['stated'] = [];
    for (const part of file.fields(field.from, field.to)) {
      const start = at;
      at = part.to;
      if (part.number === 1) nodes.push(readNode(file, part, start));
      if (part.number === 12 || part.number === 13)
        stated.push({ start, to: part.to, name: nameOf(file, part), isOutput: part.number === 12 });
      if (part.number !== 5) continue;
      const { name, type, scalar, whole } = readTensor(file, part);
      if (type === 10) weights = type;
      if (scalar !== undefined) scalars.set(name, scalar);
      if (whole !== undefined) wholes.set(name, whole);
    }
    for (const { constant, whole, outputs } of nodes) {
      if (constant !== undefined) scalars.set(outputs[0], constant);
      if (whole !== undefined) wholes.set(outputs[0], whole);
    }
    const maker = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
    const start = which === 0 ? 0 : fields[which - 1].to;
    return { version: versionOf(file, fields), start, field, nodes, maker, scalars, wholes, weights, stated };
  } finally {
    file.close();
  }
}

/** The parts of a copy of the graph, in which nodes replace others. Those are in the order of the file. */
export function withNodes(
  path: string,
  { start, field }: Graph,
  replaced: readonly { node: Range; by: readonly Uint8Array[] }[],
): Uint8Array[] {
  const bytes = readBoundedSync(path, mostBytes);
  const parts: Uint8Array[] = [];
  let from = field.from;
  for (const { node, by } of replaced) {
    append(parts, [bytes.subarray(from, node.start), ...by]);
    from = node.to;
  }
  parts.push(bytes.subarray(from, field.to));
  const length = parts.reduce((total, part) => total + part.length, 0);
  return [bytes.subarray(0, start), head(7, length), ...parts, bytes.subarray(field.to)];
}

/** Copies of nodes with other names of inputs and outputs. They have no names of their own, because those are unique. */
export function copiesOf(
  path: string,
  nodes: readonly Node[],
  names: ReadonlyMap<string, string>,
): Uint8Array[] {
  const file = new ProtoFile(path);
  try {
    return nodes.map((node) => {
      const parts: Uint8Array[] = [];
      const [{ from, to }] = file.fields(node.start, node.to);
      let at = from;
      for (const piece of file.fields(from, to)) {
        const isPort = piece.number === 1 || piece.number === 2;
        const text = isPort ? file.text(piece) : '';
        if (isPort) parts.push(message(piece.number, names.get(text) ?? text));
        else if (piece.number !== 3) parts.push(file.copy(at, piece.to));
        at = piece.to;
      }
      return message(1, Buffer.concat(parts));
    });
  } finally {
    file.close();
  }
}

function versionOf(file: ProtoFile, fields: readonly Field[]): number {
  for (const { number, from, to } of fields) {
    if (number !== 8) continue;
    const pieces = [...file.fields(from, to)];
    const domain = pieces.find((piece) => piece.number === 1);
    const isOwn = domain === undefined || ['', 'ai.onnx'].includes(file.text(domain));
    if (isOwn) return pieces.find((piece) => piece.number === 2)?.value ?? 1;
  }
  return 1;
}

function nameOf(file: ProtoFile, at: Field): string {
  for (const piece of file.fields(at.from, at.to)) if (piece.number === 1) return file.text(piece);
  return '';
}

function readNode(file: ProtoFile, at: Field, start: number): Node {
  const node: Node = { start, to: at.to, operator: '', inputs: [], outputs: [], numbers: new Map() };
  for (const piece of file.fields(at.from, at.to)) {
    if (piece.number === 1) node.inputs.push(file.text(piece));
    else if (piece.number === 2) node.outputs.push(file.text(piece));
    else if (piece.number === 4) node.operator = file.text(piece);
    else if (piece.number === 5) readAttribute(file, piece, node);
  }
  if (node.operator !== 'Constant') {
    delete node.constant;
    delete node.whole;
  }
  return node;
}

function readAttribute(file: ProtoFile, at: Field, node: Node): void {
  let name = '';
  const numbers: number[] = [];
  for (const part of file.fields(at.from, at.to)) {
    if (part.number === 1) name = file.text(part);
    else if (part.number === 2) node.constant = { value: file.float(part), type: 1 };
    else if (part.number === 3) numbers.push(signed(part.value));
    else if (part.number === 4 && part.to - part.from <= 4) node.approximate = file.text(part);
    else if (part.number === 5) {
      const { scalar, whole } = readTensor(file, part);
      if (scalar !== undefined) node.constant = scalar;
      if (whole !== undefined) node.whole = whole;
    } else if (part.number === 8)
      for (const value of part.wire === 0 ? [part.value] : file.varints(part.from, part.to))
        numbers.push(signed(value));
  }
  node.numbers.set(name, numbers);
  if (name === 'value_int') node.whole = { value: numbers[0], rank: 0 };
}

/** A varint of a negative number is nearly 2⁶⁴, which a double does not hold exactly. */
function signed(value: number): number {
  return value >= 2 ** 63 ? -1 : value;
}

interface Tensor {
  name: string;
  type: number;
  scalar?: Scalar;
  whole?: Whole;
}

function readTensor(file: ProtoFile, at: Field): Tensor {
  let [name, type, elements, rank] = ['', 0, 1, 0];
  let value: number | undefined;
  for (const field of file.fields(at.from, at.to)) {
    const size = field.to - field.from;
    if (field.number === 1)
      for (const dim of field.wire === 0 ? [field.value] : file.varints(field.from, field.to)) {
        elements *= dim;
        rank++;
      }
    else if (field.number === 2) type = field.value;
    else if (field.number === 8) name = file.text(field);
    else if (type === 7 && field.number === 7)
      value = signed(field.wire === 0 ? field.value : [...file.varints(field.from, field.to)][0]);
    else if (type === 7 && field.number === 9 && size === 8) value = file.integer(field);
    else if ((field.number === 4 || field.number === 9) && size === 4) value = file.float(field);
    else if (field.number === 9 && size === 2) value = file.half(field);
  }
  if (elements !== 1 || value === undefined) return { name, type };
  if (type === 7) return { name, type, whole: { value: Math.max(-1, value), rank } };
  return { name, type, ...(type === 1 || type === 10 ? { scalar: { value, type } } : {}) };
}

/** A node with one output. `attributes` are its encoded attributes. */
export function nodeOf(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Uint8Array = Buffer.alloc(0),
): Uint8Array {
  const texts = [...inputs.map((input) => message(1, input)), message(2, output), message(4, operator)];
  return message(1, Buffer.concat([...texts, attributes]));
}

export function message(field: number, value: string | Uint8Array): Uint8Array {
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
