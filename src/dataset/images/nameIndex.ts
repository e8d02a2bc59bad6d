import { basename } from 'node:path';
import { cocoNumber } from './cocoNames';

export interface IndexedFile {
  path: string;
  /** Whether the path is a symbolic link. */
  link: boolean;
}

/** Returns the same key for all names that a file system may treat as equal. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Finds images by file name or by COCO number. */
export class NameIndex {
  readonly folders = new Set<string>();
  size = 0;
  private readonly byName = new Map<string, IndexedFile | IndexedFile[]>();
  private readonly byNumber = new Map<number, IndexedFile | IndexedFile[]>();

  add(file: IndexedFile): void {
    const name = basename(file.path);
    this.size++;
    push(this.byName, nameKey(name), file);
    const number = cocoNumber(name);
    if (number !== undefined) push(this.byNumber, number, file);
  }

  named(name: string): readonly IndexedFile[] {
    return list(this.byName.get(nameKey(name)));
  }

  numbered(number: number): readonly IndexedFile[] {
    return list(this.byNumber.get(number));
  }
}

function push<K>(map: Map<K, IndexedFile | IndexedFile[]>, key: K, file: IndexedFile): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, file);
  else if (Array.isArray(there)) there.push(file);
  else map.set(key, [there, file]);
}

function list(found: IndexedFile | IndexedFile[] | undefined): readonly IndexedFile[] {
  return found === undefined ? [] : Array.isArray(found) ? found : [found];
}
