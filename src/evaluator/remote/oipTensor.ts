import type { CaptiousError } from '../../base/errors';
import { evaluatorError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { floatsOf, halvesOf } from '../half';

export type TensorType = 'INT64' | 'INT32' | 'FP32' | 'FP16' | 'BOOL';

export interface InputTensor {
  name: string;
  type: TensorType;
  shape: readonly number[];
  values: ArrayLike<number>;
}

export interface OutputTensor {
  shape: readonly number[];
  values: Float32Array;
}

const bytesEach: Record<TensorType, number> = { INT64: 8, INT32: 4, FP32: 4, FP16: 2, BOOL: 1 };

export function foreign(url: string, why: Words): CaptiousError {
  return evaluatorError(say('remote.responseInvalid', why), say('remote.checkInferenceServer'), url);
}

export function toBytes({ type, values }: InputTensor): Buffer {
  const out = Buffer.alloc(values.length * bytesEach[type]);
  const halves = type === 'FP16' ? halvesOf(Float32Array.from(values)) : undefined;
  for (let i = 0; i < values.length; i++) {
    if (type === 'INT64') out.writeBigInt64LE(BigInt(values[i]), i * 8);
    else if (type === 'INT32') out.writeInt32LE(values[i], i * 4);
    else if (type === 'FP32') out.writeFloatLE(values[i], i * 4);
    else if (halves !== undefined) out.writeUInt16LE(halves[i], i * 2);
    else out[i] = values[i] === 0 ? 0 : 1;
  }
  return out;
}

/** Converts the values of a tensor to a JSON array. */
export function toData(type: TensorType, values: ArrayLike<number>): (number | boolean)[] {
  if (type === 'FP16') {
    throw evaluatorError(say('remote.binaryRequestsNeeded'), say('remote.setBinaryOrWiden'));
  }
  return type === 'BOOL' ? Array.from(values, (value) => value !== 0) : Array.from(values);
}

export function valuesOf(
  datatype: string,
  bytes: Buffer | undefined,
  data: readonly unknown[] | undefined,
  url: string,
): Float32Array {
  if (datatype !== 'FP32' && datatype !== 'FP16')
    throw evaluatorError(say('remote.outputTypeWrong', datatype), say('remote.setFloatOutput'), url);
  if (bytes === undefined) {
    const flat = (data ?? []).flat(Infinity);
    if (!flat.every((value) => typeof value === 'number')) throw foreign(url, say('remote.dataNotNumeric'));
    return Float32Array.from(flat);
  }
  const size = datatype === 'FP32' ? 4 : 2;
  if (bytes.length % size !== 0) throw foreign(url, say('remote.dataLengthUneven', bytes.length, datatype));
  const count = bytes.length / size;
  if (datatype === 'FP32') return Float32Array.from({ length: count }, (_, i) => bytes.readFloatLE(i * 4));
  return floatsOf(Uint16Array.from({ length: count }, (_, i) => bytes.readUInt16LE(i * 2)));
}
