/** How many entries a chunk has. Chunks let the index grow without copying. */
const pieceSize = 1 << 16;
const words = 5;
const gone = 0xffffffff;

/** A possible place of a key's record. */
export interface Location {
  segment: number;
  /** Where the record begins, in bytes. */
  offset: number;
  /** Payload length in bytes. */
  length: number;
}

/**
 * An open hash table from the first 64 bits of keys to records. An entry takes at most 32 bytes. Several
 * entries may have the same key.
 */
export class KeyIndex {
  private pieces: Uint32Array[] = [];
  private count = 0;
  private table = new Uint32Array(1024);

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return this.table.byteLength + this.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  }

  /** Reserves capacity at once, because a table that grows step by step is rebuilt several times. */
  reserve(more: number): void {
    let slots = this.table.length;
    while ((this.count + more) / slots > 0.8) slots *= 2;
    if (slots === this.table.length) return;
    this.table = new Uint32Array(slots);
    for (let entry = 0; entry < this.count; entry++) {
      this.place(entry, this.pieces[Math.floor(entry / pieceSize)][(entry % pieceSize) * words]);
    }
  }

  add(low: number, high: number, segment: number, offset: number, length: number): void {
    this.reserve(1);
    const entry = this.count++;
    const at = (entry % pieceSize) * words;
    if (at === 0) this.pieces.push(new Uint32Array(pieceSize * words));
    const piece = this.pieces[this.pieces.length - 1];
    piece[at] = low;
    piece[at + 1] = high;
    piece[at + 2] = offset / 8;
    piece[at + 3] = length;
    piece[at + 4] = segment;
    this.place(entry, low);
  }

  /** Entry numbers of this key in insertion order. They stay valid for the lifetime of the index. */
  find(low: number, high: number): number[] {
    const found: number[] = [];
    const mask = this.table.length - 1;
    for (let slot = low & mask; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = this.table[slot] - 1;
      const piece = this.pieces[Math.floor(entry / pieceSize)];
      const at = (entry % pieceSize) * words;
      if (piece[at] === low && piece[at + 1] === high && piece[at + 4] !== gone) found.push(entry);
    }
    return found;
  }

  location(entry: number): Location {
    const piece = this.pieces[Math.floor(entry / pieceSize)];
    const at = (entry % pieceSize) * words;
    return { segment: piece[at + 4], offset: piece[at + 2] * 8, length: piece[at + 3] };
  }

  forget(entry: number): void {
    this.pieces[Math.floor(entry / pieceSize)][(entry % pieceSize) * words + 4] = gone;
  }

  private place(entry: number, low: number): void {
    const mask = this.table.length - 1;
    let slot = low & mask;
    while (this.table[slot] !== 0) slot = (slot + 1) & mask;
    this.table[slot] = entry + 1;
  }
}
