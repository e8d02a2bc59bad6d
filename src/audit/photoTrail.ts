import { createHash, type Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ImageItem } from '../evaluator/item';

/** Tells whether the photos of a run are still what they were, without reading them. */
export class PhotoTrail {
  private hash: Hash;
  private readonly states = new Map<string, string>();

  /** `before`: where a former trail ended. */
  constructor(before = '') {
    this.hash = createHash('sha256').update(before);
  }

  async note(photos: readonly (ImageItem | undefined)[]): Promise<void> {
    for (const photo of photos) {
      if (photo === undefined) this.hash.update('none\0');
      // Bytes in the dataset are told by its own hash.
      else if ('path' in photo.source) this.hash.update(`${await this.state(photo.source.path)}\0`);
    }
  }

  /** One name for all that was noted so far; what was seen is looked at again afterwards. */
  close(): string {
    const name = this.hash.digest('hex');
    this.hash = createHash('sha256').update(name);
    this.states.clear();
    return name;
  }

  private async state(path: string): Promise<string> {
    let state = this.states.get(path);
    if (state === undefined) {
      const found = await stat(path, { bigint: true }).catch(() => undefined);
      state =
        found === undefined ? 'gone' : `${path}|${found.ino}|${found.size}|${found.mtimeNs}|${found.ctimeNs}`;
      this.states.set(path, state);
    }
    return state;
  }
}
