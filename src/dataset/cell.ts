/** A value of a row and its position in the row's bytes. `start` is -1 if the position is unknown. */
export class Cell {
  constructor(
    readonly value: CellValue,
    readonly start: number,
    readonly end: number,
  ) {}
}

export type CellValue = string | number | boolean | null | readonly Cell[] | Fields | Uint8Array;

/** With this many names or more, a map is faster than a search through all names. */
const many = 64;
const places = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** Cached by the array of names, which all rows of a table share. */
function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  let found = places.get(names);
  if (found === undefined) places.set(names, (found = new Map(names.map((name, at) => [name, at]))));
  return found;
}

/** Named cells in file order. Not a plain object: a key may be called `__proto__`. */
export class Fields {
  constructor(
    readonly names: readonly string[],
    readonly cells: readonly Cell[],
    /** The first repeated key. */
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
