import { append } from '../../base/lists';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { archived } from '../../base/files/archived';
import { replaceFile } from '../../base/files/writeFile';
import { temporaryFolder } from '../../base/files/temporary';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { SentImage } from '../../protocol/python';
import { Engine, type EngineOptions } from '../native/engine';
import { whyDecodingEnded } from '../native/lost';

/** A limit in pixels far above the sides of usual images, so that images are not scaled down. */
const anySide = 1 << 20;
const atOnce = 3;

/** Prepares images for a Python evaluator: as pixels after all transforms, or as paths. */
export class SentImages {
  private readonly engine: Engine;
  private folder: Promise<string> | undefined;

  constructor(
    private readonly asPaths: boolean,
    options?: EngineOptions,
  ) {
    this.engine = new Engine({ lost: whyDecodingEnded, ...options });
  }

  /** Prepares a few images at a time. Each has its own message, because images are then decoded concurrently. */
  async of(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<SentImage>[]> {
    const out: Outcome<SentImage>[] = [];
    for (let from = 0; from < images.length; from += atOnce) {
      const some = images.slice(from, from + atOnce);
      const sent = some.map((image) =>
        this.asPaths ? this.path(image, signal) : this.pixels(image, signal),
      );
      append(out, await Promise.all(sent));
    }
    return out;
  }

  async close(): Promise<void> {
    await this.engine.close();
    const folder = await this.folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  private async pixels(image: ImageItem, signal?: AbortSignal): Promise<Outcome<SentImage>> {
    const [outcome] = await this.engine.run('decoded', { images: [image] }, signal);
    return outcome.ok ? { ok: true, value: { name: image.source.name, ...outcome.value } } : outcome;
  }

  /**
   * Returns the path of the image's file if there is a file and the image has no transforms. Otherwise writes a PNG
   * into a private folder.
   */
  private async path(image: ImageItem, signal?: AbortSignal): Promise<Outcome<SentImage>> {
    const { source, transforms } = image;
    if ('path' in source && transforms.length === 0 && archived(source.path) === undefined)
      return { ok: true, value: { name: source.name, path: resolve(source.path) } };
    const job = { images: [image], side: anySide, format: 'png' as const };
    const [outcome] = await this.engine.run('sendable', job, signal);
    if (!outcome.ok) return outcome;
    this.folder ??= temporaryFolder('images');
    const name = createHash('sha256').update(outcome.value).digest('hex').slice(0, 32);
    const path = join(await this.folder, `${name}.png`);
    await replaceFile(path, outcome.value);
    return { ok: true, value: { name: source.name, path } };
  }
}
