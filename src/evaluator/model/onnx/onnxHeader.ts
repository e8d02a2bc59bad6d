import { say } from '../../../base/say';
import { CaptiousError, evaluatorError, Reason, wordsOf } from '../../../base/errors';
import { checkPorts, type GraphHeader, type GraphPort } from './graphPorts';
import { surveyModel } from './externalFiles';
import { ProtoFile } from './protoFile';

/** The names and bit widths of TensorProto's element types, by the number of the type. */
const elementTypes: readonly (readonly [string, number])[] = [
  ['undefined', 0],
  ['float32', 32],
  ['uint8', 8],
  ['int8', 8],
  ['uint16', 16],
  ['int16', 16],
  ['int32', 32],
  ['int64', 64],
  ['string', 0],
  ['bool', 8],
  ['float16', 16],
  ['float64', 64],
  ['uint32', 32],
  ['uint64', 64],
  ['complex64', 64],
  ['complex128', 128],
  ['bfloat16', 16],
  ['float8e4m3fn', 8],
  ['float8e4m3fnuz', 8],
  ['float8e5m2', 8],
  ['float8e5m2fnuz', 8],
  ['uint4', 4],
  ['int4', 4],
];

export function readGraphHeader(path: string): GraphHeader {
  return checkPorts(reading(path, (file) => parse(file, path)));
}

function reading<T>(path: string, read: (file: ProtoFile) => T): T {
  let file: ProtoFile;
  try {
    file = new ProtoFile(path);
  } catch (error) {
    throw new CaptiousError('evaluator', say('model.onnxUnreadable', wordsOf(error)), { at: path });
  }
  try {
    return read(file);
  } catch (error) {
    if (error instanceof CaptiousError) throw error;
    throw evaluatorError(say('model.onnxIncomplete', wordsOf(error)), say('model.downloadOnnxAgain'), path);
  } finally {
    file.close();
  }
}

export interface GraphNode {
  operator: string;
  inputs: readonly string[];
  outputs: readonly string[];
}

/** The graph's nodes, except those in loops and branches. */
export function readGraphNodes(path: string): GraphNode[] {
  return reading(path, (file) => {
    const nodes: GraphNode[] = [];
    for (const field of file.fields(0, file.size)) {
      if (field.number !== 7) continue;
      for (const part of file.fields(field.from, field.to)) {
        if (part.number !== 1) continue;
        const node = { operator: '', inputs: [] as string[], outputs: [] as string[] };
        for (const piece of file.fields(part.from, part.to)) {
          if (piece.number === 1) node.inputs.push(file.text(piece));
          else if (piece.number === 2) node.outputs.push(file.text(piece));
          else if (piece.number === 4) node.operator = file.text(piece);
        }
        nodes.push(node);
      }
    }
    return nodes;
  });
}

function parse(file: ProtoFile, path: string): GraphHeader {
  const { operators, external } = surveyModel(file);
  const inputs: GraphPort[] = [];
  const outputs: GraphPort[] = [];
  const weights = new Map<string, { type: string; bytes: number }>();
  const scalars = new Map<string, number>();
  for (const field of file.fields(0, file.size)) {
    if (field.number !== 7) continue;
    for (const part of file.fields(field.from, field.to)) {
      if (part.number === 5) {
        const tensor = readTensor(file, part.from, part.to);
        weights.set(tensor.name, { type: tensor.type, bytes: tensor.bytes });
        if (tensor.scalar !== undefined) scalars.set(tensor.name, tensor.scalar);
      } else if (part.number === 11) inputs.push(readPort(file, part.from, part.to));
      else if (part.number === 12) outputs.push(readPort(file, part.from, part.to));
    }
  }
  if (outputs.length === 0) throw new Reason(say('model.onnxWithoutGraph'));
  return {
    path,
    inputs: inputs.filter((port) => !weights.has(port.name)),
    outputs,
    operators,
    weights,
    scalars,
    external: [...external].sort(),
  };
}

function readTensor(
  file: ProtoFile,
  from: number,
  to: number,
): { name: string; type: string; bytes: number; scalar: number | undefined } {
  let scalar: number | undefined;
  let name = '';
  let type = 0;
  let elements = 1;
  for (const field of file.fields(from, to)) {
    if (field.number === 1) {
      if (field.wire === 0) elements *= field.value;
      else for (const dim of file.varints(field.from, field.to)) elements *= dim;
    } else if (field.number === 2) type = field.value;
    // The value is one float, a list with one float, or four raw bytes.
    else if ((field.number === 4 || field.number === 9) && field.to - field.from === 4)
      scalar = file.float(field);
    else if (field.number === 8) name = file.text(field);
  }
  const [typeName, bits] = elementTypes[type] ?? [`type ${type}`, 0];
  const single = typeName === 'float32' && elements === 1 ? scalar : undefined;
  return { name, type: typeName, bytes: (elements * bits) / 8, scalar: single };
}

function readPort(file: ProtoFile, from: number, to: number): GraphPort {
  let name = '';
  let type = 'undefined';
  const shape: (number | string | undefined)[] = [];
  for (const field of file.fields(from, to)) {
    if (field.number === 1) name = file.text(field);
    if (field.number !== 2) continue;
    for (const kind of file.fields(field.from, field.to)) {
      if (kind.number !== 1) continue;
      for (const part of file.fields(kind.from, kind.to)) {
        if (part.number === 1) type = elementTypes[part.value]?.[0] ?? `type ${part.value}`;
        if (part.number !== 2) continue;
        for (const dim of file.fields(part.from, part.to)) {
          if (dim.number !== 1) continue;
          let value: number | string | undefined;
          for (const half of file.fields(dim.from, dim.to)) {
            if (half.number === 1) value = half.value;
            else if (half.number === 2) value = file.text(half);
          }
          shape.push(value);
        }
      }
    }
  }
  return { name, type, shape };
}
