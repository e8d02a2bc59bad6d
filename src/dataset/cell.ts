import { valueIn } from '../base/lists';

/** A value of a row and its position in the row's bytes. An unknown position is -1. */
export class Cell {
  constructor(
    readonly value: CellValue,
    readonly start: number,
    readonly end: number,
  ) {}
}

export type CellValue = string | number | boolean | null | readonly Cell[] | Fields | Uint8Array;

/** With at least this many names, a map is faster than a linear search. */
const many = 64;
const places = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** The index of each name. Cached for each array, because all rows of a table share one array of names. */
function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const found = valueIn(places, names, () => new Map(names.map((name, at) => [name, at])));
  return found;
}

/** Named cells in file order. A plain object would break for a key such as `__proto__`. */
export class Fields {
  constructor(
    readonly names: readonly string[],
    readonly cells: readonly Cell[],
    readonly repeated?: string,
  ) {}

  /** For a repeated key, returns the last value, like JSON.parse. */
  get(name: string): Cell | undefined {
    const { names } = this;
    const at = names.length < many ? names.lastIndexOf(name) : (placesOf(names).get(name) ?? -1);
    return at < 0 ? undefined : this.cells[at];
  }

  without(names: readonly string[]): Fields {
    const kept = [...this.names.keys()].filter((at) => !names.includes(this.names[at]));
    return new Fields(
      kept.map((at) => this.names[at]),
      kept.map((at) => this.cells[at]),
    );
  }
}
