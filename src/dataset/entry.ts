import type { Cell, Fields } from './cell';
import type { Place } from './example';
import type { Locator } from './text/position';

/** One row of a dataset file, before anybody has said what it means. */
export class Entry {
  constructor(
    /** Counted from 0, rows that are broken included. */
    readonly row: number,
    readonly fields: Fields,
    readonly place: Place | undefined,
    private readonly locator: Locator | undefined,
    /** In an object of rows: its key. */
    readonly key?: string,
    readonly section?: string,
  ) {}

  placeOf(cell: Cell): Place | undefined {
    return cell.start < 0 ? undefined : this.locator?.place(cell.start, cell.end);
  }
}
