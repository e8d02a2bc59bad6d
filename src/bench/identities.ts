import { createHash } from 'node:crypto';
import { valueIn } from '../base/lists';
import type { Failure } from '../base/outcome';
import { CaptiousError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { type Evaluator, isByName } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import { givenKey, imageKey, pairKey, textKey } from './keys';
import type { Task, Work } from './task';

/** How many images are hashed at once. */
const hashing = 8;

export interface Identity {
  key: Buffer;
  imageSha256?: string;
}

/** Makes the key by which an item's result is found in memory and in the store. */
export class Identities {
  private readonly fingerprints: Fingerprints;
  private readonly hashesOfBytes = new WeakMap<Uint8Array, string>();

  constructor(
    store: string | undefined,
    onWarning: (message: string) => void,
    private readonly digests?: Pick<Fingerprints, 'sha256'>,
  ) {
    this.fingerprints = new Fingerprints(store, onWarning);
  }

  /** Returns for each item its key, or the reason why the item cannot have a key. */
  async of(evaluator: Evaluator, works: readonly Work[]): Promise<(Identity | Failure)[]> {
    const found = new Array<Identity | Failure>(works.length);
    let next = 0;
    const hash = async (): Promise<void> => {
      while (next < works.length) {
        const at = next++;
        found[at] = await this.identify(evaluator, works[at]);
      }
    };
    await Promise.all(Array.from({ length: Math.min(hashing, works.length) }, hash));
    return found;
  }

  /** Whether the image file has changed since the key was made. */
  async changed({ work, imageSha256 }: Task): Promise<boolean> {
    if (imageSha256 === undefined || work.kind === 'text' || !('path' in work.image.source)) return false;
    try {
      return (await this.hashImage(work.image)) !== imageSha256;
    } catch {
      return true;
    }
  }

  flush(): Promise<void> {
    return this.fingerprints.flush();
  }

  private async identify(evaluator: Evaluator, work: Work): Promise<Identity | Failure> {
    const { info } = evaluator;
    if (work.kind === 'text') return { key: textKey(info, work.text) };
    const { source, transforms } = work.image;
    if (isByName(evaluator, work.kind)) {
      const text = work.kind === 'pair' ? work.text : undefined;
      return { key: givenKey(info, source.name, transforms, text) };
    }
    try {
      const imageSha256 = await this.hashImage(work.image);
      const key =
        work.kind === 'image'
          ? imageKey(info, imageSha256, transforms)
          : pairKey(info, imageSha256, transforms, work.text, work.references);
      return { key, imageSha256 };
    } catch (error) {
      if (error instanceof CaptiousError && error.kind === 'input') {
        return { ok: false, problem: error.words, unreadable: true };
      }
      throw error;
    }
  }

  private async hashImage({ source }: ImageItem): Promise<string> {
    if ('path' in source) return (this.digests ?? this.fingerprints).sha256(source.path);
    return valueIn(this.hashesOfBytes, source.bytes, () =>
      createHash('sha256').update(source.bytes).digest('hex'),
    );
  }
}
