/** A set of 52-bit keys, 11 to 23 bytes each if it is large. Its count is almost always exact. */
export class KeySet {
  private slots = new Float64Array(1024);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Adds the key in the eight bytes from `at`. Returns whether the key is new. */
  add(key: Buffer, at = 0): boolean {
    if ((this.count + 1) / this.slots.length > 0.7) this.grow();
    const value = key.readUInt32LE(at) + (key.readUInt32LE(at + 4) % 1048576) * 4294967296;
    // Adds 1, because 0 marks a free slot.
    const added = insert(this.slots, 1 + value);
    if (added) this.count++;
    return added;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Float64Array(old.length * 2);
    for (const value of old) if (value !== 0) insert(this.slots, value);
  }
}

function insert(slots: Float64Array, value: number): boolean {
  let slot = value % slots.length;
  while (slots[slot] !== 0) {
    if (slots[slot] === value) return false;
    slot = (slot + 1) % slots.length;
  }
  slots[slot] = value;
  return true;
}
