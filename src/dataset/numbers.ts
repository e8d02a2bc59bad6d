/** A list of numbers that grows, eight bytes each. */
export class NumberList {
  private items = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Float64Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  at(index: number): number {
    return this.items[index];
  }
}

/** Many texts, kept as UTF-8 outside the JavaScript heap. */
export class TextList {
  private bytes = Buffer.allocUnsafe(1 << 16);
  private readonly ends = new NumberList();
  private used = 0;

  get length(): number {
    return this.ends.length;
  }

  push(text: string): void {
    const needed = this.used + text.length * 3;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
      this.bytes.copy(grown, 0, 0, this.used);
      this.bytes = grown;
    }
    this.used += this.bytes.write(text, this.used);
    this.ends.push(this.used);
  }

  at(index: number): string {
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends.at(index - 1), this.ends.at(index));
  }
}

/** Places in the order they were added; those that are absent too. */
export class PlaceList {
  private readonly numbers = new NumberList();

  push(place: { line: number; column: number; offset: number; length: number } | undefined): void {
    this.numbers.push(place?.line ?? 0);
    this.numbers.push(place?.column ?? 0);
    this.numbers.push(place?.offset ?? 0);
    this.numbers.push(place?.length ?? 0);
  }

  at(index: number): { line: number; column: number; offset: number; length: number } | undefined {
    const first = index * 4;
    const line = this.numbers.at(first);
    if (line === 0) return undefined;
    return {
      line,
      column: this.numbers.at(first + 1),
      offset: this.numbers.at(first + 2),
      length: this.numbers.at(first + 3),
    };
  }
}
