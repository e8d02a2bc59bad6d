import { largest } from '../../base/extent';
import type { Outcome } from '../../base/outcome';
import { areOneCocoImage, cocoNumber } from '../../dataset/images/cocoNames';
import {
  commonFolders,
  NameFolders,
  type NamePath,
  pathOfName,
  spellings,
} from '../../dataset/images/nameFolders';
import { PartlyCounter } from '../../dataset/images/partlyFound';
import type { ImageItem } from '../../protocol/item';
import { imageItemKey, textItemKey } from '../wantKey';
import { type Id, idNames } from './ids';
import type { Vectors } from './numpy';

/** Finds rows of embeddings by caption or by image name. */

const ambiguous = -1;

export class Lookup {
  /** How many ids repeat the id of an earlier row. Of rows with the same id, only the first one is used. */
  repeated = 0;
  /** The images of which less than the whole path matched. */
  readonly partly = new PartlyCounter();
  private readonly exact = new Map<string, number>();
  /** Ids and rows by file name, with and without the extension, and by number. */
  private readonly derived = new Map<string, Named | Named[]>();
  private readonly folders = new NameFolders();

  /** `names`: the folders in the image names of the dataset, if it is known. */
  constructor(
    private readonly side: 'image' | 'text',
    ids: readonly Id[],
    private readonly vectors: Vectors,
    private readonly names?: NameFolders,
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
    const own = pathOfName(spellings(name).at(-1)!);
    for (const other of derivedOf(name)) {
      const all = [this.derived.get(other) ?? []].flat();
      const found = all.filter(({ id }) => this.agrees(own, pathOfName(id)));
      if (found.length === 0 && all.length > 1 && own.folders.length === 0) return ambiguous;
      if (found.length === 0) continue;
      const common = found.map(({ id }) => commonFolders(own.folders, pathOfName(id).folders));
      const [first, ...others] = found.filter((_, i) => common[i] === largest(common));
      if (others.some(({ row }) => row !== first.row && !this.sameRows(first.row, row))) return ambiguous;
      this.partly.add(name, first.id);
      return first.row;
    }
    return undefined;
  }

  /** Whether an id may name the image although only the ends of their paths are equal. */
  private agrees(own: NamePath, id: NamePath): boolean {
    const { names, folders } = this;
    if (names?.areCoco !== false && folders.areCoco && areOneCocoImage(own, id)) return true;
    if (withoutEnding(own.file) !== withoutEnding(id.file)) return false;
    const common = commonFolders(own.folders, id.folders);
    if (common < own.folders.length && common < id.folders.length) return false;
    const needed = names?.needed(own) ?? own.folders.length;
    if (common < Math.max(needed, folders.needed(id))) return false;
    return names?.isOthers(id.folders, needed) !== true && !folders.isOthers(own.folders, folders.needed(id));
  }

  private add(id: Id, row: number): void {
    const { names, altered } = namesIn(id, this.side);
    let isRepeated = false;
    for (const name of names) {
      if (this.exact.has(name)) isRepeated = true;
      else this.exact.set(name, row);
      // Datasets and embeddings may name an image in different ways, such as by path and by COCO's number. An altered
      // image gets no derived names, because it has the file name of its original.
      if (this.side === 'image' && !altered) {
        this.folders.add(name);
        for (const other of derivedOf(name)) this.derive(other, { id: name, row });
      }
      if (this.side === 'text' && name.trim() !== name && !this.exact.has(name.trim()))
        this.exact.set(name.trim(), row);
    }
    if (isRepeated) this.repeated++;
  }

  private derive(name: string, named: Named): void {
    const before = this.derived.get(name);
    if (before === undefined) this.derived.set(name, named);
    else if (Array.isArray(before)) before.push(named);
    else this.derived.set(name, [before, named]);
  }

  private sameRows(a: number, b: number): boolean {
    const other = this.vectors.row(b);
    return this.vectors.row(a).every((value, i) => Object.is(value, other[i]));
  }
}

interface Named {
  id: string;
  row: number;
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

function withoutEnding(file: string): string {
  return file.replace(/\.(jpe?g|png|webp|gif|tiff?|avif|bmp)$/i, '');
}

/** The file name of a path, the file name without its extension, and COCO's number in the file name. */
function derivedOf(name: string): string[] {
  const { file } = pathOfName(spellings(name).at(-1)!);
  const stem = withoutEnding(file);
  const number = cocoNumber(stem);
  return [...new Set([file, stem, ...(number === undefined ? [] : [`number ${number}`])])];
}
