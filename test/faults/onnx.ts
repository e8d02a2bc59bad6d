/* Writes ONNX files field by field, so a test controls exactly what is wrong. Field numbers are onnx.proto's. */

type Part = Buffer;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(left & 127n) | (left > 127n ? 128 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}

export function int(field: number, value: number): Part {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

export function message(field: number, ...parts: (Part | string)[]): Part {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
}

export const elementTypes = { float32: 1, int64: 7, string: 8 };
type ElementType = keyof typeof elementTypes;

export interface TensorSpec {
  name: string;
  type?: ElementType;
  dims: readonly number[];
  raw?: Buffer;
  /** The name of an external file that should have the numbers. */
  external?: string;
}

/** The fields of a TensorProto, for use inside another field. */
export function tensor({ name, type = 'float32', dims, raw, external }: TensorSpec): Part[] {
  return [
    ...dims.map((dim) => int(1, dim)),
    int(2, elementTypes[type]),
    message(8, name),
    ...(raw === undefined ? [] : [message(9, raw)]),
    ...(external === undefined
      ? []
      : [message(13, message(1, 'location'), message(2, external)), int(14, 1)]),
  ];
}

export function floats(name: string, dims: readonly number[], values: readonly number[]): TensorSpec {
  return { name, dims, raw: Buffer.from(Float32Array.from(values).buffer) };
}

export function integers(name: string, dims: readonly number[], values: readonly number[]): TensorSpec {
  return { name, type: 'int64', dims, raw: Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer) };
}

export interface NodeSpec {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  domain?: string;
  attributes?: readonly Part[];
}

export function tensorAttribute(name: string, value: TensorSpec): Part {
  return message(5, message(1, name), message(5, ...tensor(value)), int(20, 4));
}

/** A graph as a node's attribute, as in loops and branches. */
export function graphAttribute(name: string, graph: readonly Part[]): Part {
  return message(5, message(1, name), message(6, ...graph), int(20, 5));
}

export function step({ op, inputs, outputs, domain, attributes = [] }: NodeSpec): Part {
  return message(
    1,
    ...inputs.map((name) => message(1, name)),
    ...outputs.map((name) => message(2, name)),
    message(4, op),
    ...attributes,
    ...(domain === undefined ? [] : [message(7, domain)]),
  );
}

/** An input (11) or an output (12). A dimension given as a name has any size. */
export function port(
  field: 11 | 12,
  name: string,
  type: ElementType,
  dims: readonly (number | string)[],
): Part {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? int(1, dim) : message(2, dim)));
  return message(
    field,
    message(1, name),
    message(2, message(1, int(1, elementTypes[type]), message(2, ...shape))),
  );
}

export function model(parts: readonly Part[], domains: readonly string[] = []): Buffer {
  return Buffer.concat([
    int(1, 9),
    message(7, ...parts, message(2, 'g')),
    message(8, message(1, ''), int(2, 17)),
    ...domains.map((domain) => message(8, message(1, domain), int(2, 1))),
  ]);
}

export const initializer = (spec: TensorSpec): Part => message(5, ...tensor(spec));

/** A table with four numbers for each of seven words. */
export const table = floats(
  'table',
  [7, 4],
  [1, 2, 3, 4, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, -3, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1],
);

export const ids = port(11, 'input_ids', 'int64', ['b', 'n']);
export const rows = port(12, 'last_hidden_state', 'float32', ['b', 'n', 4]);
export const lookUp = (output: string): Part =>
  step({ op: 'Gather', inputs: ['table', 'input_ids'], outputs: [output] });
