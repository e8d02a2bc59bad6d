/* Unpacks Zstandard (RFC 8878) within a limit. Node 20 has no own function for it. */
import { decompress } from 'fzstd';

const longestBlock = 128 << 10;
const checksumSize = 4;
/** Short blocks are counted as long ones, which may say more than is there, but never more than this for small data. */
const slack = 16 << 20;

/** Throws if the bytes are damaged, or could become much more than `size`. */
export function unpackZstd(packed: Uint8Array, size: number): Buffer {
  if (mostUnpacked(packed) > size + slack) throw new RangeError('too long');
  const bytes = decompress(packed);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The most bytes that the frames can become: what they state, or the most of their blocks. */
function mostUnpacked(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let [at, most] = [0, 0];
  while (at < packed.length) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== 0xfd2fb528) throw new RangeError('not a frame');
    const descriptor = packed[at + 4];
    const { length: headerLength, content } = headerOf(view, at + 4, descriptor);
    at += 4 + headerLength;
    let blocks = 0;
    for (let isLast = false; !isLast;) {
      const block = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      isLast = (block & 1) === 1;
      const type = (block >> 1) & 3;
      const length = block >> 3;
      blocks += type === 2 ? longestBlock : length;
      at += 3 + (type === 1 ? 1 : length);
    }
    most += content ?? blocks;
    if ((descriptor & 4) !== 0) at += checksumSize;
  }
  return most;
}

/** The length of a frame's header from its descriptor on, and the content's size if the header states it. */
function headerOf(view: DataView, at: number, descriptor: number): { length: number; content?: number } {
  const isSingle = (descriptor & 32) !== 0;
  const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6];
  const from = 1 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3];
  const length = from + size;
  switch (size) {
    case 1:
      return { length, content: view.getUint8(at + from) };
    case 2:
      return { length, content: view.getUint16(at + from, true) + 256 };
    case 4:
      return { length, content: view.getUint32(at + from, true) };
    case 8:
      return { length, content: Number(view.getBigUint64(at + from, true)) };
    default:
      return { length };
  }
}
