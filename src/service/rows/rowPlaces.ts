import { Column } from '../../base/column';
import type { Row } from '../../probe/metric';

interface Place {
  offset: number;
  length: number;
}

export interface PlacedRow extends Place {
  row: Row;
}

/** Where the rows are in their file. A row that joins several draws is in several places. */
export class RowPlaces {
  private readonly offsets = new Column(Float64Array);
  private readonly lengths = new Column(Uint32Array);
  /** The index of each row's first place. */
  private readonly firsts = new Column(Uint32Array);

  readonly columns = [this.offsets, this.lengths, this.firsts];

  get rows(): number {
    return this.firsts.length;
  }

  get places(): number {
    return this.offsets.length;
  }

  push(places: readonly Place[]): void {
    this.firsts.push(this.places);
    for (const { offset, length } of places) {
      this.offsets.push(offset);
      this.lengths.push(length);
    }
  }

  of(row: number): Place[] {
    const from = this.firsts.data[row];
    const to = row + 1 < this.rows ? this.firsts.data[row + 1] : this.places;
    return Array.from({ length: to - from }, (_, i) => ({
      offset: this.offsets.data[from + i],
      length: this.lengths.data[from + i],
    }));
  }
}
