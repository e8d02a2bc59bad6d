import { Cell, Fields } from '../cell';
import { JsonReader } from '../text/jsonValue';
import type { Role } from './sampleKey';

/** A file of a sample with its bytes. */
export interface SampleFile {
  /** The name of the image in the dataset. */
  name: string;
  ending: string;
  role: Role;
  bytes: Buffer;
}

/** Turns the files of a sample into columns. Throws a JsonFault for invalid JSON. */
export class FieldsMaker {
  private readonly json = new JsonReader();

  fields(files: readonly SampleFile[]): Fields {
    const columns = new Map<string, Cell>();
    let spread: Fields | undefined;
    for (const { name, ending, role, bytes } of files) {
      const cell = this.cellOf(role, name, bytes);
      if (role.column === undefined && cell.value instanceof Fields) spread = cell.value;
      else {
        const column = role.column ?? ending;
        // A sample can have a .txt and a .caption.
        columns.set(columns.has(column) ? ending : column, cell);
      }
    }
    for (const [i, name] of (spread?.names ?? []).entries())
      columns.set(columns.has(name) ? `json.${name}` : name, spread!.cells[i]);
    return new Fields([...columns.keys()], [...columns.values()], spread?.repeated);
  }

  private cellOf({ kind }: Role, name: string, bytes: Buffer): Cell {
    if (kind === 'json') return this.json.read(bytes, 0, bytes.length);
    if (kind === 'text') return textCell(new TextDecoder().decode(bytes));
    const image = new Fields(['bytes', 'path'], [new Cell(bytes, -1, -1), new Cell(name, -1, -1)]);
    return new Cell(image, -1, -1);
  }
}

/** Several lines are several captions, as in CLIP_benchmark's retrieval shards. */
function textCell(text: string): Cell {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2) return new Cell(lines.at(0) ?? '', -1, -1);
  return new Cell(
    lines.map((line) => new Cell(line, -1, -1)),
    -1,
    -1,
  );
}
