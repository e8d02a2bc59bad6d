import type { Outcome } from '../base/outcome';
import type { Words } from '../base/say';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archived } from '../base/files/archived';
import { makeFolder } from '../base/files/cannotWrite';
import { Engine } from '../evaluator/native/engine';
import { whyDecodingEnded } from '../evaluator/native/lost';
import { imageItemKey } from '../evaluator/wantKey';
import type { ImageItem } from '../protocol/item';
import { writeWhole } from '../report/output';

const folderName = 'images';
const atOnce = 16;
/** Larger than any image's side, so nothing is scaled down. */
const anySide = 1 << 20;

/** Writes transformed images, and images inside dataset files, as PNG files for other programs. */
export class ImageFiles {
  /** Why an image could not be read, one message for each image. */
  readonly problems: Words[] = [];
  written = 0;
  private readonly engine = new Engine({ lost: whyDecodingEnded });
  private readonly names = new Map<string, string>();
  private waiting: ImageItem[] = [];

  /** `folder` contains the file that names the images. */
  constructor(private readonly folder: string) {}

  /** Adds an image. Returns its path relative to the folder, or undefined if the image is an unchanged file. */
  async add(item: ImageItem, signal: AbortSignal): Promise<string | undefined> {
    const { source, transforms } = item;
    if (transforms.length === 0 && 'path' in source && archived(source.path) === undefined) return undefined;
    const key = imageItemKey(item);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = `${folderName}/${key}.png`;
    this.names.set(key, name);
    this.waiting.push(item);
    if (this.waiting.length === atOnce) await this.flush(signal);
    return name;
  }

  /** The images as PNG files, without writing them. */
  drawn(images: readonly ImageItem[], signal: AbortSignal): Promise<Outcome<Uint8Array>[]> {
    return this.engine.run('sendable', { images, side: anySide, format: 'png' }, signal);
  }

  async flush(signal: AbortSignal): Promise<void> {
    const images = this.waiting;
    this.waiting = [];
    if (images.length === 0) return;
    await makeFolder(join(this.folder, folderName));
    const files = await this.drawn(images, signal);
    for (const [i, file] of files.entries()) {
      if (!file.ok) {
        this.problems.push(file.problem);
        continue;
      }
      const path = join(this.folder, this.names.get(imageItemKey(images[i]))!);
      if ((await stat(path).catch(() => undefined)) === undefined) await writeWhole(path, file.value);
      this.written++;
    }
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
