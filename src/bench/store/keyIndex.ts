import type { Scratch } from '../../base/files/scratch';
import { KeyBlock, type Location, wordsOnDisk } from './keyBlock';

/** The number of entries in a piece. The index grows by whole pieces, so that it need not copy entries. */
const pieceSize = 1 << 16;
const words = 5;
/** The most entries in memory. When there are more, all entries move to disk. */
const blockSize = 1 << 20;

/**
 * Finds records by the first 64 bits of their keys. Several entries may have the same key. A new entry takes up to
 * 32 bytes of memory. With a scratch file, an older entry takes 2.3 bytes of memory and 16 bytes on disk.
 */
export class KeyIndex {
  private readonly blocks: KeyBlock[] = [];
  private pieces: Uint32Array[] = [];
  private count = 0;
  private table = new Uint32Array(1024);
  /** Places whose records were missing or damaged. */
  private readonly forgotten = new Set<number>();

  constructor(
    private scratch?: Scratch,
    private readonly most = blockSize,
  ) {}

  get size(): number {
    return this.blocks.reduce((sum, block) => sum + block.size, this.count);
  }

  get bytes(): number {
    const pieces = this.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    return this.blocks.reduce((sum, block) => sum + block.bytes, this.table.byteLength + pieces);
  }

  /** Makes room for `more` entries at once, because a growing table would be rebuilt several times. */
  reserve(more: number): void {
    const room = this.scratch === undefined ? this.count + more : Math.min(this.count + more, this.most);
    let slots = this.table.length;
    while (room / slots > 0.8) slots *= 2;
    if (slots === this.table.length) return;
    this.table = new Uint32Array(slots);
    for (let entry = 0; entry < this.count; entry++) this.place(entry, this.word(entry, 0));
  }

  add(low: number, high: number, segment: number, offset: number, length: number): void {
    if (this.count >= this.most) this.spill();
    this.reserve(1);
    const entry = this.count++;
    const at = (entry % pieceSize) * words;
    const number = Math.floor(entry / pieceSize);
    if (number === this.pieces.length) this.pieces.push(new Uint32Array(pieceSize * words));
    const piece = this.pieces[number];
    piece[at] = low;
    piece[at + 1] = high;
    piece[at + 2] = offset / 8;
    piece[at + 3] = length;
    piece[at + 4] = segment;
    this.place(entry, low);
  }

  /** The key's first place that is not forgotten. Undefined if the key has no such place. */
  find(low: number, high: number): Location | undefined {
    for (const block of this.blocks)
      for (const place of block.find(low, high)) if (!this.isForgotten(place)) return place;
    const mask = this.table.length - 1;
    for (let slot = low & mask; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = this.table[slot] - 1;
      if (this.word(entry, 0) !== low || this.word(entry, 1) !== high) continue;
      const [offset, length, segment] = [2, 3, 4].map((which) => this.word(entry, which));
      const place = { segment, offset: offset * 8, length };
      if (!this.isForgotten(place)) return place;
    }
    return undefined;
  }

  forget(place: Location): void {
    this.forgotten.add(nameOf(place));
  }

  private isForgotten(place: Location): boolean {
    return this.forgotten.size > 0 && this.forgotten.has(nameOf(place));
  }

  private word(entry: number, which: number): number {
    return this.pieces[Math.floor(entry / pieceSize)][(entry % pieceSize) * words + which];
  }

  private place(entry: number, low: number): void {
    const mask = this.table.length - 1;
    let slot = low & mask;
    while (this.table[slot] !== 0) slot = (slot + 1) & mask;
    this.table[slot] = entry + 1;
  }

  /** Moves all entries from memory to disk, sorted by first word and then by age. */
  private spill(): void {
    const { scratch, count } = this;
    if (scratch === undefined) return;
    // The first word and the entry's number together fit into the 53 bits of a double.
    const order = new Float64Array(count);
    for (let entry = 0; entry < count; entry++) order[entry] = this.word(entry, 0) * count + entry;
    order.sort();
    const lows = new Uint32Array(count);
    const rest = new Uint32Array(count * wordsOnDisk);
    for (let rank = 0; rank < count; rank++) {
      const entry = order[rank] % count;
      lows[rank] = this.word(entry, 0);
      for (let i = 0; i < wordsOnDisk; i++) rest[rank * wordsOnDisk + i] = this.word(entry, i + 1);
    }
    const at = scratch.write(new Uint8Array(rest.buffer));
    if (at === undefined) {
      // The disk is full or not writable, so the entries stay in memory.
      this.scratch = undefined;
      return;
    }
    this.blocks.push(new KeyBlock(scratch, at, lows));
    this.count = 0;
    this.table.fill(0);
  }
}

/** A number that identifies a place. It is unique, because segments are shorter than 2^32 bytes. */
function nameOf({ segment, offset }: Location): number {
  return segment * 2 ** 29 + offset / 8;
}
