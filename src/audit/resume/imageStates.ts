import { createHash, type Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { storedIn } from '../../base/files/archived';
import type { ImageItem } from '../../protocol/item';

/** Detects changes of a run's image files by inode, size and times, without reading the files. */
export class ImageStates {
  private hash: Hash;
  private noted: (string | Promise<string>)[] = [];
  private readonly states = new Map<string, Promise<string>>();

  /** `before` is the hash that an earlier run stored last, if this run resumes it. */
  constructor(before = '') {
    this.hash = createHash('sha256').update(before);
  }

  note(images: readonly (ImageItem | undefined)[]): void {
    for (const image of images) {
      if (image === undefined) this.noted.push('none');
      // The dataset's hash covers embedded images.
      else if ('path' in image.source) this.noted.push(this.state(image.source.path));
    }
  }

  /** Returns a hash of the states of all image files so far. A file that `note` gets again later is checked again. */
  async close(): Promise<string> {
    for (const state of await Promise.all(this.noted)) this.hash.update(`${state}\0`);
    const name = this.hash.digest('hex');
    this.hash = createHash('sha256').update(name);
    this.noted = [];
    this.states.clear();
    return name;
  }

  private state(path: string): Promise<string> {
    let state = this.states.get(path);
    if (state === undefined) {
      state = stat(storedIn(path), { bigint: true }).then(
        ({ ino, size, mtimeNs, ctimeNs }) => `${path}|${ino}|${size}|${mtimeNs}|${ctimeNs}`,
        () => 'gone',
      );
      this.states.set(path, state);
    }
    return state;
  }
}
