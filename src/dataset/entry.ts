import type { Cell, Fields } from './cell';
import type { Place } from './example';
import type { Locator } from './text/position';

/** One row of a dataset file, before a format interprets it. */
export class Entry {
  /** The folder of the file below that of the dataset, if names of images in the file start there. */
  folder?: string;

  constructor(
    /** Counted from 0. Broken rows count too. */
    readonly row: number,
    readonly fields: Fields,
    readonly place: Place | undefined,
    private readonly locator: Locator | undefined,
    /** The row's key, if the file is an object of rows. */
    readonly key?: string,
    readonly section?: string,
  ) {}

  /** The path of a named image below the dataset's folder. */
  imagePath(name: string): string {
    return this.folder === undefined ? name : `${this.folder}/${name}`;
  }

  placeOf(cell: Cell): Place | undefined {
    return cell.start < 0 ? undefined : this.locator?.place(cell.start, cell.end);
  }
}
