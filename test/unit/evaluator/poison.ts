import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Field numbers of an ONNX file: ModelProto.graph, GraphProto.initializer, TensorProto.data_type and
 * .raw_data.
 */
const graphField = 7;
const initializerField = 5;
const typeField = 2;
const rawField = 9;
const float32 = 1;
const float16 = 10;

/** The byte range of each field of a protobuf message. */
function* fieldsOf(
  bytes: Buffer,
  from: number,
  to: number,
): Generator<{ field: number; at: number; end: number; value: number }> {
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < to) {
    const tag = varint();
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) yield { field, at, end: at, value: varint() };
    else {
      const length = wire === 2 ? varint() : wire === 5 ? 4 : 8;
      yield { field, at, end: at + length, value: length };
      at += length;
    }
  }
}

/** Replaces all float weights of the folder's graphs with NaN. The file sizes do not change. */
export function poison(folder: string): void {
  for (const name of readdirSync(join(folder, 'onnx')).filter((file) => file.endsWith('.onnx'))) {
    const path = join(folder, 'onnx', name);
    const bytes = readFileSync(path);
    for (const graph of fieldsOf(bytes, 0, bytes.length)) {
      if (graph.field !== graphField) continue;
      for (const tensor of fieldsOf(bytes, graph.at, graph.end)) {
        if (tensor.field !== initializerField) continue;
        const parts = [...fieldsOf(bytes, tensor.at, tensor.end)];
        const type = parts.find(({ field }) => field === typeField)?.value;
        const raw = parts.find(({ field }) => field === rawField);
        if (raw === undefined) continue;
        const { at, end } = raw;
        if (type === float32) for (let i = at; i < end; i += 4) bytes.writeFloatLE(NaN, i);
        if (type === float16) for (let i = at; i < end; i += 2) bytes.writeUInt16LE(0x7e00, i);
      }
    }
    writeFileSync(path, bytes);
  }
}
