import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import { imageItemKey, textItemKey } from '../wantKey';
import { type Id, idNames } from './ids';
import type { Vectors } from './numpy';

/** Finds rows of embeddings by caption or by image name. */

const ambiguous = -1;

export class Lookup {
  /** How many ids repeat the id of an earlier row. Of rows with the same id, only the first one is used. */
  repeated = 0;
  private readonly exact = new Map<string, number>();
  /** Rows by file name, with and without the extension, and by COCO's image number. */
  private readonly derived = new Map<string, number>();

  constructor(
    private readonly side: 'image' | 'text',
    ids: readonly Id[],
    private readonly vectors: Vectors,
  ) {
    ids.forEach((id, row) => this.add(id, row));
  }

  text(text: string): Outcome<Float32Array> {
    const row = this.exact.get(text) ?? this.exact.get(text.trim()) ?? this.exact.get(textItemKey(text));
    if (row === undefined) return { ok: false, problem: 'there is no embedding for a text' };
    return { ok: true, value: this.vectors.row(row) };
  }

  image(item: ImageItem): Outcome<Float32Array> {
    const altered = item.transforms.length > 0;
    const row = this.exact.get(imageItemKey(item)) ?? (altered ? undefined : this.named(item.source.name));
    if (row === undefined)
      return { ok: false, problem: `there is no embedding for ${altered ? 'an altered' : 'the'} image` };
    if (row === ambiguous) return { ok: false, problem: 'several embeddings have the name of the image' };
    return { ok: true, value: this.vectors.row(row) };
  }

  knows(name: string): boolean {
    const key = imageItemKey({ source: { name }, transforms: [] });
    return this.exact.has(key) || this.named(name) !== undefined;
  }

  private named(name: string): number | undefined {
    const exact = this.exact.get(name);
    if (exact !== undefined) return exact;
    for (const other of derivedOf(name)) {
      const row = this.derived.get(other);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  private add(id: Id, row: number): void {
    const { names, altered } = namesIn(id, this.side);
    let isRepeated = false;
    for (const name of names) {
      if (this.exact.has(name)) isRepeated = true;
      else this.exact.set(name, row);
      // Datasets and embeddings may name an image in different ways, such as by path and by COCO's number. An altered
      // image gets no derived names, because it has the file name of its original.
      if (this.side === 'image' && !altered) for (const other of derivedOf(name)) this.derive(other, row);
      if (this.side === 'text' && name.trim() !== name && !this.exact.has(name.trim()))
        this.exact.set(name.trim(), row);
    }
    if (isRepeated) this.repeated++;
  }

  private derive(name: string, row: number): void {
    const before = this.derived.get(name);
    if (before === undefined) this.derived.set(name, row);
    else if (before !== row && !this.sameRows(before, row)) this.derived.set(name, ambiguous);
  }

  private sameRows(a: number, b: number): boolean {
    if (a === ambiguous) return false;
    const other = this.vectors.row(b);
    return this.vectors.row(a).every((value, i) => Object.is(value, other[i]));
  }
}

function namesIn(id: Id, side: 'image' | 'text'): { names: string[]; altered: boolean } {
  if (typeof id !== 'object') return { names: [String(id)], altered: false };
  const altered = id.transforms !== undefined && !/^(\[\s*\])?$/.test(textOf(id.transforms));
  // Besides `key`, only the most likely field is used. Other fields may mean something else, such as the id of an
  // annotation.
  const other = altered ? undefined : idNames[side].find((name) => name !== 'key' && textOf(id[name]) !== '');
  const names = ['key', ...(other === undefined ? [] : [other])]
    .map((name) => textOf(id[name]))
    .filter((name) => name !== '');
  return { names: [...new Set(names)], altered };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** The file name of a path, the file name without its extension, and COCO's number in the file name. */
function derivedOf(name: string): string[] {
  const file = name.split(/[/\\]/).at(-1)!;
  const stem = file.replace(/\.(jpe?g|png|webp|gif|tiff?|avif|bmp)$/i, '');
  const number = /^(?:COCO_[a-z]+\d*_)?(\d+)$/i.exec(stem)?.[1].replace(/^0+(?=\d)/, '');
  return [...new Set([file, stem, ...(number === undefined ? [] : [`number ${number}`])])];
}
