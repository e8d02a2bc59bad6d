import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

/** The files of an unencrypted zip archive by name, in the order of the archive. */
export function* filesInZip(zip: Buffer): Generator<[string, Buffer]> {
  const end = zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  assert.ok(end >= 0, 'no zip archive');
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    if (!name.endsWith('/')) yield [name, method === 0 ? content : inflateRawSync(content)];
    at += 46 + nameLength + extra + comment;
  }
}
