/** A list of numbers that grows, eight bytes each. */
export class Column {
  private values = new Float64Array(256);
  private size = 0;

  push(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Float64Array(this.size * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.size++] = value;
  }

  /** The numbers so far, not copied. */
  get all(): Float64Array {
    return this.values.subarray(0, this.size);
  }
}
