/** Tar archives made byte by byte, so that they can be wrong. */
const block = 512;

export function archive(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

export function file(name: string, content: string, type = '0'): Buffer {
  const bytes = Buffer.from(content);
  const padding = Buffer.alloc((block - (bytes.length % block)) % block);
  return Buffer.concat([header(name, bytes.length, type), bytes, padding]);
}

export function header(name: string, size: number, type = '0'): Buffer {
  const bytes = Buffer.alloc(block);
  bytes.write(name, 0);
  bytes.write(size.toString(8).padStart(11, '0'), 124);
  bytes.write(type, 156);
  bytes.write('ustar\u000000', 257);
  return sealed(bytes);
}

/** An extended header with the texts of the next file. */
export function pax(texts: Readonly<Record<string, string>>): Buffer {
  const records = Object.entries(texts).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    const digits = String(rest.length + 2).length;
    return `${rest.length + digits}${rest}`;
  });
  return file('PaxHeaders/x', records.join(''), 'x');
}

/** The archive with another size in the header at `offset`, with a right checksum. */
export function mended(whole: Uint8Array, offset: number, size: string): Buffer {
  const bytes = Buffer.from(whole);
  bytes.fill(0, offset + 124, offset + 136);
  bytes.write(size, offset + 124, 'latin1');
  sealed(bytes.subarray(offset, offset + block));
  return bytes;
}

/** Gives each header a right checksum. */
export function resealed(bytes: Buffer): Buffer {
  for (let at = 0; at + block <= bytes.length; at += block)
    if (bytes.toString('latin1', at + 257, at + 262) === 'ustar') sealed(bytes.subarray(at, at + block));
  return bytes;
}

function sealed(bytes: Buffer): Buffer {
  bytes.fill(0x20, 148, 156);
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}
