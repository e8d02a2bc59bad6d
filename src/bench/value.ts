import type { StoreRecord } from './store/writer';

/** An item's stored result. `cut`: whether the text exceeded the model's limit. */
export type Value = { kind: 'vector'; vector: Float32Array; cut: boolean } | { kind: 'score'; score: number };

const vectorTag = 0;
const cutVectorTag = 1;
const scoreTag = 2;

/** Encodes a value for the store. `decodeValue` restores the value bit for bit. */
export function encodeValue(value: Value): StoreRecord['payload'] {
  const size = value.kind === 'score' ? 8 : value.vector.byteLength;
  const bytes = Buffer.allocUnsafe(4 + size);
  if (value.kind === 'score') {
    bytes.writeUInt32LE(scoreTag, 0);
    bytes.writeDoubleLE(value.score, 4);
  } else {
    const { buffer, byteOffset, byteLength } = value.vector;
    bytes.writeUInt32LE(value.cut ? cutVectorTag : vectorTag, 0);
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), 4);
  }
  return bytes;
}

/** The value in stored bytes; undefined for an unknown kind or an invalid length. */
export function decodeValue(bytes: Buffer): Value | undefined {
  if (bytes.length < 8 || bytes.length % 4 !== 0) return undefined;
  const tag = bytes.readUInt32LE(0);
  if (tag === scoreTag) {
    return bytes.length === 12 ? { kind: 'score', score: bytes.readDoubleLE(4) } : undefined;
  }
  if (tag !== vectorTag && tag !== cutVectorTag) return undefined;
  const vector = new Float32Array((bytes.length - 4) / 4);
  new Uint8Array(vector.buffer).set(bytes.subarray(4));
  return { kind: 'vector', vector, cut: tag === cutVectorTag };
}

export function valueBytes(value: Value): number {
  return value.kind === 'score' ? 8 : value.vector.byteLength;
}
