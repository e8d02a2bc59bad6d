/* ZIP archives made byte by byte, so that they can be wrong. */
import { crc32, deflateRawSync } from 'node:zlib';

/** An archive with one deflated entry for each name. `size` is what the directory states. */
export function zipOf(entries: readonly { name: string; text: string | Buffer; size?: number }[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, text, size = Buffer.byteLength(text) } of entries) {
    const packed = deflateRawSync(text);
    const [local, central] = [Buffer.alloc(30), Buffer.alloc(46)];
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(crc32(text), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
