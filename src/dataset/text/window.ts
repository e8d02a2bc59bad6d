/** The bytes that are still needed. New bytes are appended; used bytes are removed from the front. */
export class Window {
  bytes = Buffer.allocUnsafe(1 << 16);
  /** Bytes in use: `bytes[0, length)`. */
  length = 0;

  append(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  /** Drops the first `count` bytes and moves the others to the front. */
  discard(count: number): void {
    if (count === 0) return;
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }
}
