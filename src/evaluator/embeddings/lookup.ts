import { say } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import type { NameFolders } from '../../dataset/images/nameFolders';
import type { PartlyFound } from '../../dataset/images/partlyFound';
import type { ImageItem } from '../../protocol/item';
import { imageItemKey, textItemKey } from '../wantKey';
import { type Id, idNames } from './ids';
import { type FoundRow, ImageNames } from './imageNames';
import type { Vectors } from './numpy';

/** Finds rows of embeddings by caption or by image name. */

export class Lookup {
  /** How many ids repeat the id of an earlier row. Of rows with the same id, only the first one is used. */
  repeated = 0;
  private readonly exact = new Map<string, number>();
  private readonly images: ImageNames;

  /** `names`: the folders in the image names of the dataset, if it is known. */
  constructor(
    private readonly side: 'image' | 'text',
    ids: readonly Id[],
    private readonly vectors: Vectors,
    names?: NameFolders,
  ) {
    this.images = new ImageNames(names, (a, b) => this.sameRows(a, b));
    ids.forEach((id, row) => this.add(id, row));
  }

  /** The images of which less than the whole path matched. */
  get partly(): PartlyFound {
    return this.images.partly;
  }

  text(text: string): Outcome<Float32Array> {
    const row = this.exact.get(text) ?? this.exact.get(text.trim()) ?? this.exact.get(textItemKey(text));
    if (row === undefined) return { ok: false, problem: say('embeddings.noneForText') };
    return { ok: true, value: this.vectors.row(row) };
  }

  image(item: ImageItem): Outcome<Float32Array> {
    const altered = item.transforms.length > 0;
    const row = this.exact.get(imageItemKey(item)) ?? (altered ? undefined : this.named(item.source.name));
    if (row === undefined)
      return {
        ok: false,
        problem: altered ? say('embeddings.noneForAltered') : say('embeddings.noneForImage'),
      };
    if (row === 'ambiguous') return { ok: false, problem: say('embeddings.severalOfImage') };
    if (row === 'shared') return { ok: false, problem: say('embeddings.severalImages') };
    return { ok: true, value: this.vectors.row(row) };
  }

  knows(name: string): boolean {
    const key = imageItemKey({ source: { name }, transforms: [] });
    return this.exact.has(key) || this.named(name) !== undefined;
  }

  private named(name: string): FoundRow {
    return this.exact.get(name) ?? this.images.find(name);
  }

  private add(id: Id, row: number): void {
    const { names, altered } = namesIn(id, this.side);
    let isRepeated = false;
    for (const name of names) {
      if (this.exact.has(name)) isRepeated = true;
      else this.exact.set(name, row);
      // Datasets and embeddings may name an image in different ways, such as by path and by COCO's number. An altered
      // image gets no derived names, because it has the file name of its original.
      if (this.side === 'image' && !altered) this.images.add(name, row);
      if (this.side === 'text' && name.trim() !== name && !this.exact.has(name.trim()))
        this.exact.set(name.trim(), row);
    }
    if (isRepeated) this.repeated++;
  }

  private sameRows(a: number, b: number): boolean {
    const other = this.vectors.row(b);
    return this.vectors.row(a).every((value, i) => Object.is(value, other[i]));
  }
}

function namesIn(id: Id, side: 'image' | 'text'): { names: string[]; altered: boolean } {
  if (typeof id !== 'object') return { names: [textOf(id)].filter((name) => name !== ''), altered: false };
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
  // Different numbers above 2^53 are equal once they are read, so they name no row.
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? '' : String(value);
  if (typeof value === 'bigint') return String(value);
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
