import { inflateRawSync } from 'node:zlib';
import { Reason } from '../../base/errors';
import { say } from '../../base/say';

/* Reads .npz files: the ZIP archives of .npy arrays that np.savez and np.savez_compressed write. */

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const zip64 = 0xffffffff;
const longestComment = 0xffff;
/** Slightly above Deflate's highest compression ratio, 1032. */
const mostDense = 1040;

export function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === localHeader;
}

/** Maps each array's name to a function that unpacks the array. `most` limits the bytes of all arrays together. */
export function npzEntries(bytes: Buffer, most: number): Map<string, () => Buffer> {
  const entries = new Map<string, () => Buffer>();
  let end = bytes.length - 22;
  const lowest = Math.max(0, end - longestComment);
  while (end >= lowest && bytes.readUInt32LE(end) !== endOfDirectory) end--;
  if (end < lowest) throw new Reason(say('embeddings.npzInvalid'));
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry)
      throw new Reason(say('embeddings.npzDirectoryDamaged'));
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const unpacked = bytes.readUInt32LE(at + 24);
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const header = bytes.readUInt32LE(at + 42);
    const key = bytes.toString('utf8', at + 46, at + 46 + name).replace(/\.npy$/, '');
    if ([packed, unpacked, header].includes(zip64)) throw new Reason(say('embeddings.npzPartTooLarge', key));
    // The entries of a malicious file may share bytes, so the limit applies to the unpacked sizes.
    total += unpacked;
    if (total > most) throw new Reason(say('embeddings.npzUnpackedTooLarge', Math.floor(most / (1 << 20))));
    if (unpacked > mostDense * packed + mostDense)
      throw new Reason(say('embeddings.npzSizeImplausible', key, unpacked, packed));
    entries.set(key, () => contentAt(bytes, { key, header, method, packed, unpacked }));
    at += 46 + name + extra + comment;
  }
  return entries;
}

interface Entry {
  key: string;
  header: number;
  method: number;
  packed: number;
  unpacked: number;
}

function contentAt(bytes: Buffer, { key, header, method, packed, unpacked }: Entry): Buffer {
  if (header + 30 > bytes.length || bytes.readUInt32LE(header) !== localHeader)
    throw new Reason(say('embeddings.npzArrayDamaged', key));
  const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  const content = bytes.subarray(from, from + packed);
  if (content.length !== packed) throw new Reason(say('embeddings.npzArrayTruncated', key));
  if (method === 0) return content;
  if (method !== 8) throw new Reason(say('embeddings.npzCompressionUnknown', key, method));
  const out = inflateRawSync(content, { maxOutputLength: Math.max(1, unpacked) });
  if (out.length !== unpacked) throw new Reason(say('embeddings.npzArrayTruncated', key));
  return out;
}
