import { stat } from 'node:fs/promises';
import { CaptiousError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { createImageFinder, type ImageFinder } from '../../dataset/images/images';
import { unopened } from '../../dataset/open';
import { folderOf, isPattern } from '../../dataset/parts/paths';
import { Thumbnails } from '../../evaluator/native/thumbnails';
import { ImagesInside } from '../../dataset/images/embeddedImages';
import type { ImageSource } from '../../protocol/item';
import type { Transform } from '../../perturb/transform';

/** How many dataset files may have indexes of their embedded images in memory. */
const filesKept = 2;

interface Opened {
  /** Changes when the file is rewritten. */
  stamp: string;
  inside: Promise<ImagesInside | undefined>;
}

/** Finds images of datasets by name: files in a run's folders, or images embedded in the dataset. */
export class Images {
  private readonly finders = new Map<string, ImageFinder>();
  private readonly opened = new Map<string, Opened>();
  private readonly thumbnails = new Thumbnails();

  /**
   * Finds an image; undefined if no image has this name. As in a run, embedded images come first. `row`: the row of an
   * embedded image, if known.
   */
  async find(
    dataset: string,
    folders: readonly string[],
    name: string,
    row?: number,
  ): Promise<ImageSource | undefined> {
    const bytes = await (await this.insideOf(dataset))?.find(name, row);
    if (bytes !== undefined) return { name, bytes };
    const found = await this.finderOf(dataset, folders).find(name);
    return found.ok ? { name, path: found.path } : undefined;
  }

  finderOf(dataset: string, folders: readonly string[]): ImageFinder {
    const key = JSON.stringify([dataset, folders]);
    let finder = this.finders.get(key);
    if (finder === undefined) {
      finder = createImageFinder({ dataset: unopened(dataset), folders });
      this.finders.set(key, finder);
    }
    return finder;
  }

  /** Returns a small JPEG. A transform's `other.path` is the name of a second image in the dataset. */
  async small(
    dataset: string,
    folders: readonly string[],
    name: string,
    side: number,
    transforms?: readonly Transform[],
    row?: number,
  ): Promise<Uint8Array> {
    const source = await this.find(dataset, folders, name, row);
    if (source === undefined) throw await this.notFound(dataset, folders, name);
    try {
      const placed =
        transforms && (await Promise.all(transforms.map((one) => this.placed(dataset, folders, one))));
      return await this.thumbnails.make({ source, side, ...(placed && { transforms: placed }) });
    } catch (cause) {
      if (cause instanceof CaptiousError) throw cause;
      throw new CaptiousError('input', say('service.imageUnreadable', wordsOf(cause)), {
        at: 'path' in source ? source.path : `${dataset}: ${name}`,
        cause,
      });
    }
  }

  close(): Promise<void> {
    return this.thumbnails.close();
  }

  private async placed(
    dataset: string,
    folders: readonly string[],
    transform: Transform,
  ): Promise<Transform> {
    if (transform.op !== 'mix' && transform.op !== 'patch') return transform;
    const { path: name, sha256 } = transform.other;
    const found = await this.finderOf(dataset, folders).find(name);
    if (!found.ok) throw await this.notFound(dataset, folders, name);
    return { ...transform, other: { path: found.path, sha256 } };
  }

  /** Says why the search found none, unless no file has this name. */
  private async notFound(dataset: string, folders: readonly string[], name: string): Promise<CaptiousError> {
    const found = await this.finderOf(dataset, folders).find(name);
    const isMissing = found.ok || found.reason === 'missing';
    return new CaptiousError('input', isMissing ? say('editor.imageNotFound', name) : found.message, {
      at: dataset,
    });
  }

  private async insideOf(path: string): Promise<ImagesInside | undefined> {
    const stamp = await stat(isPattern(path) ? folderOf(path) : path).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      () => undefined,
    );
    // If the dataset is missing, its images may still be in a folder.
    if (stamp === undefined) return undefined;
    let opened = this.opened.get(path);
    if (opened?.stamp !== stamp) {
      opened = { stamp, inside: ImagesInside.open(path) };
      this.opened.delete(path);
      this.opened.set(path, opened);
      for (const oldest of this.opened.keys()) if (this.opened.size > filesKept) this.opened.delete(oldest);
    }
    return opened.inside;
  }
}
