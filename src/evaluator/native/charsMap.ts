/**
 * SentencePiece's compiled character map, which tokenizer.json contains as base64. A double-array trie maps UTF-8
 * bytes to positions in a list of replacements. The tokenizer library only approximates the map.
 */
export class CharsMap {
  private readonly trie: Uint32Array;
  private readonly replacements: Buffer;
  private readonly known = new Map<string, string | undefined>();
  private readonly graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

  constructor(base64: string) {
    const bytes = Buffer.from(base64, 'base64');
    const size = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
    if (size === 0 || size % 4 !== 0 || size + 4 > bytes.length)
      throw new Error('the character map is damaged');
    this.trie = Uint32Array.from({ length: size / 4 }, (_, i) => bytes.readUInt32LE(4 + i * 4));
    this.replacements = bytes.subarray(4 + size);
  }

  /** Looks up each grapheme cluster. If it has more than five bytes or no replacement, looks up its characters. */
  normalize(text: string): string {
    if (simple.test(text)) return this.eachCharacter(text);
    let out = '';
    for (const { segment } of this.graphemes.segment(text)) {
      const whole = Buffer.byteLength(segment) < 6 ? this.replacement(segment) : undefined;
      out += whole ?? this.eachCharacter(segment);
    }
    return out;
  }

  private eachCharacter(text: string): string {
    let out = '';
    for (const character of text) out += this.replacement(character) ?? character;
    return out;
  }

  private replacement(part: string): string | undefined {
    if (this.known.has(part)) return this.known.get(part);
    const at = this.find(Buffer.from(part));
    const found =
      at === undefined ? undefined : this.replacements.toString('utf8', at, this.replacements.indexOf(0, at));
    this.known.set(part, found);
    return found;
  }

  /** The offset of the replacement for the shortest prefix of `key` that is in the map. */
  private find(key: Buffer): number | undefined {
    const { trie } = this;
    let node = offsetOf(trie[0]);
    for (const byte of key) {
      if (byte === 0) return undefined;
      node ^= byte;
      const unit = trie[node] ?? 0;
      if (labelOf(unit) !== byte) return undefined;
      node ^= offsetOf(unit);
      if (hasLeaf(unit)) return trie[node] & 0x7fffffff;
    }
    return undefined;
  }
}

/** Printable ASCII, in which each character is a grapheme cluster. */
const simple = /^[\x20-\x7e]*$/;

function labelOf(unit: number): number {
  return (unit & 0x800000ff) >>> 0;
}

function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

function hasLeaf(unit: number): boolean {
  return (unit & 0x100) !== 0;
}
