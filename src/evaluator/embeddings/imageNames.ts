import { largest } from '../../base/extent';
import { areOneCocoImage, cocoNumber } from '../../dataset/images/cocoNames';
import {
  commonFolders,
  NameFolders,
  type NamePath,
  pathOfName,
  spellings,
  withoutEnding,
} from '../../dataset/images/nameFolders';
import { PartlyCounter } from '../../dataset/images/partlyFound';

interface Named {
  id: string;
  row: number;
}

export type FoundRow = number | 'ambiguous' | 'shared' | undefined;

/** Finds what another program computed for an image by an id of which only the end may equal the image's name. */
export class ImageNames {
  /** The images of which less than the whole path matched. */
  readonly partly = new PartlyCounter();
  /** Ids and rows by file name, with and without the extension, and by number. */
  private readonly derived = new Map<string, Named | Named[]>();
  private readonly folders = new NameFolders();

  constructor(
    /** The folders in the image names of the dataset, if it is known. */
    private readonly names: NameFolders | undefined,
    /** Whether two rows are equal, so that it does not matter which one is used. */
    private readonly areSame: (a: number, b: number) => boolean,
  ) {}

  add(id: string, row: number): void {
    this.folders.add(id);
    for (const name of derivedOf(id)) {
      const before = this.derived.get(name);
      if (before === undefined) this.derived.set(name, { id, row });
      else if (Array.isArray(before)) before.push({ id, row });
      else this.derived.set(name, [before, { id, row }]);
    }
  }

  /** Returns the row. `ambiguous`: several ids fit the image; `shared`: an id fits several images. */
  find(name: string): FoundRow {
    const own = pathOfName(spellings(name).at(-1)!);
    for (const other of derivedOf(name)) {
      const all = [this.derived.get(other) ?? []].flat();
      const found = all.filter(({ id }) => this.agrees(own, pathOfName(id)));
      if (found.length === 0 && all.length > 1 && own.folders.length === 0) return 'ambiguous';
      if (found.length === 0) continue;
      const common = found.map(({ id }) => commonFolders(own.folders, pathOfName(id).folders));
      const [first, ...others] = found.filter((_, i) => common[i] === largest(common));
      if (others.some(({ row }) => row !== first.row && !this.areSame(first.row, row))) return 'ambiguous';
      const id = pathOfName(first.id);
      // An id without an ending cannot say which of `1.jpg` and `1.png` it names.
      if (id.file !== own.file && this.names?.hasTwin(own) === true) return 'shared';
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
}

/** The file name of a path, the file name without its extension, and COCO's number in the file name. */
function derivedOf(name: string): string[] {
  const { file } = pathOfName(spellings(name).at(-1)!);
  const stem = withoutEnding(file);
  const number = cocoNumber(stem);
  return [...new Set([file, stem, ...(number === undefined ? [] : [`number ${number}`])])];
}
