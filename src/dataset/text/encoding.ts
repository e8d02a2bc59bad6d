export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface DetectedEncoding {
  encoding: Encoding;
  /** The length of the byte order mark, or 0. */
  bom: number;
  /** The size of the file in bytes. Places do not extend beyond it, even if the last character is truncated. */
  size?: number;
  /** The file's name, if it is a part of a dataset. Its places carry it. */
  part?: string;
}

export function describeEncoding({ encoding, bom }: DetectedEncoding): string {
  const name = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE' }[encoding];
  return bom > 0 ? `${name} with byte order mark` : name;
}

/** Detects the encoding by a byte order mark, or by the zero bytes of Latin text in UTF-16. */
export function detectEncoding(head: Uint8Array): DetectedEncoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
  const sample = head.subarray(0, 2048 & ~1);
  let even = 0;
  let odd = 0;
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) even++;
    if (sample[i + 1] === 0) odd++;
  }
  const pairs = sample.length >> 1;
  if (pairs > 0 && odd * 2 > pairs && even * 20 < pairs) return { encoding: 'utf-16le', bom: 0 };
  if (pairs > 0 && even * 2 > pairs && odd * 20 < pairs) return { encoding: 'utf-16be', bom: 0 };
  return { encoding: 'utf-8', bom: 0 };
}

/**
 * Converts UTF-16 to UTF-8 in chunks. An unpaired surrogate becomes U+FFFD, which also counts as one UTF-16 unit.
 * The number of units therefore stays the same, and positions in the file can be computed.
 */
export class Utf16ToUtf8 {
  private rest: Uint8Array = new Uint8Array(0);

  constructor(private readonly bigEndian: boolean) {}

  feed(chunk: Uint8Array): Uint8Array {
    const joined = Buffer.concat([this.rest, chunk]);
    let length = joined.length & ~1;
    // A high surrogate at the end of a chunk waits for its low surrogate.
    if (length >= 2) {
      const high = this.bigEndian ? joined[length - 2] : joined[length - 1];
      if (high >= 0xd8 && high <= 0xdb) length -= 2;
    }
    this.rest = joined.subarray(length);
    return this.convert(joined.subarray(0, length));
  }

  /** Converts the remaining bytes. An incomplete character becomes U+FFFD. */
  end(): Uint8Array {
    const rest = this.rest;
    this.rest = new Uint8Array(0);
    if (rest.length === 0) return rest;
    return Buffer.from('\ufffd'.repeat((rest.length + 1) >> 1));
  }

  private convert(bytes: Buffer): Uint8Array {
    const little = this.bigEndian ? Buffer.from(bytes).swap16() : bytes;
    return Buffer.from(little.toString('utf16le'), 'utf8');
  }
}
