import { Column } from '../base/column';

/** Many texts, stored as UTF-8 outside the JavaScript heap. */
export class TextList {
  private bytes = Buffer.allocUnsafe(1 << 16);
  private readonly ends = new Column(Float64Array);
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
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends.data[index - 1], this.ends.data[index]);
  }
}

/** A list of places, which needs less memory than an array. An item may be undefined. */
export class PlaceList {
  private readonly numbers = new Column(Float64Array);

  push(place: { line: number; column: number; offset: number; length: number } | undefined): void {
    this.numbers.push(place?.line ?? 0);
    this.numbers.push(place?.column ?? 0);
    this.numbers.push(place?.offset ?? 0);
    this.numbers.push(place?.length ?? 0);
  }

  at(index: number): { line: number; column: number; offset: number; length: number } | undefined {
    const first = index * 4;
    const line = this.numbers.data[first];
    if (line === 0) return undefined;
    return {
      line,
      column: this.numbers.data[first + 1],
      offset: this.numbers.data[first + 2],
      length: this.numbers.data[first + 3],
    };
  }
}
