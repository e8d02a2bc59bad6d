/** A value of a row, and where it stands in the bytes of that row's window; `start` is -1 where there is no text. */
export class Cell {
  constructor(
    readonly value: CellValue,
    readonly start: number,
    readonly end: number,
  ) {}
}

export type CellValue = string | number | boolean | null | readonly Cell[] | Fields | Uint8Array;

/** Named cells in the order of the file. Not a plain object: a key may be called `__proto__`. */
export class Fields {
  constructor(
    readonly names: readonly string[],
    readonly cells: readonly Cell[],
    /** The first key that came twice. */
    readonly repeated?: string,
  ) {}

  /** Of a key that came twice, the last, as JSON.parse has it. */
  get(name: string): Cell | undefined {
    const at = this.names.lastIndexOf(name);
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
