/* Finds and reads the images of a dataset: inside it, in the user's folders, or next to it. */
import { throwIfCancelled } from '../../base/errors';
import type { Dataset } from '../../dataset/dataset';
import type { ImageRef } from '../../dataset/example';
import { createImageFinder, type ImageFinder } from '../../dataset/images/images';
import type { Look } from '../../probe/benchmark/images/alike';
import { keyOfImage } from '../../probe/benchmark/items';
import type { ImageSource } from '../../protocol/item';
import type { Looks } from './looks';

/** If none of this many images lies next to the dataset, others are not searched, unless the user named a folder. */
const mostTried = 100;
/** How many embedded images, and bytes of them, wait for the decoding process. */
const mostWaiting = 32;
const mostBytes = 64 << 20;

/** Finds the sources of images. */
export class ImageSearch {
  private readonly finder: ImageFinder;
  /** Whether files are searched. Undefined until it is known. */
  private isOn: boolean | undefined;
  private tried = 0;

  constructor(
    dataset: Dataset,
    folders: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.finder = createImageFinder({ dataset, folders, signal });
    if (folders.length > 0) this.isOn = true;
  }

  /** Whether the user named a folder, or an image was found. */
  get hasFiles(): boolean {
    return this.isOn === true;
  }

  async sourcesOf(images: readonly ImageRef[]): Promise<(ImageSource | undefined)[]> {
    const sources: (ImageSource | undefined)[] = [];
    for (const { name, bytes } of images) {
      throwIfCancelled(this.signal);
      sources.push(bytes === undefined ? await this.file(name) : { name, bytes });
    }
    return sources;
  }

  private async file(name: string): Promise<ImageSource | undefined> {
    if (this.isOn === false) return undefined;
    const found = await this.finder.find(name);
    if (found.ok) this.isOn = true;
    else if (this.isOn === undefined && ++this.tried >= mostTried) this.isOn = false;
    return found.ok ? { name, path: found.path } : undefined;
  }
}

/** What is known about images, by `keyOfImage`. */
export interface ReadImages {
  /** Images without a file. Undefined if images were not searched. */
  missing?: ReadonlySet<string>;
  /** Images that cannot be decoded. Undefined if no image was read. */
  corrupt?: ReadonlySet<string>;
  /** What each readable image shows, in the order of the dataset. */
  looks: ReadonlyMap<string, Look>;
  /** The names of images by `keyOfImage`. */
  names: ReadonlyMap<string, string>;
}

/** Reads the images of a benchmark. Embedded ones are read while the dataset is, because they do not fit into memory. */
export class ImageReader {
  private readonly names = new Map<string, string>();
  private readonly looks = new Map<string, Look | undefined>();
  private waiting: { key: string; name: string; bytes: Uint8Array }[] = [];
  private bytes = 0;

  constructor(
    private readonly search: ImageSearch,
    private readonly reading: Looks,
  ) {}

  async add(image: ImageRef): Promise<void> {
    const key = keyOfImage(image);
    if (this.names.has(key)) return;
    this.names.set(key, image.name);
    if (image.bytes === undefined) return;
    // A view would keep all data of a decoded page in memory.
    this.waiting.push({ key, name: image.name, bytes: image.bytes.slice() });
    this.bytes += image.bytes.length;
    if (this.waiting.length >= mostWaiting || this.bytes >= mostBytes) await this.flush();
  }

  /** Reads the files of the other images. */
  async finish(onProgress: (done: number, of: number) => void): Promise<ReadImages> {
    await this.flush();
    const files = [...this.names].filter(([key]) => !this.looks.has(key));
    const sources = await this.search.sourcesOf(files.map(([, name]) => ({ name })));
    const found = files.flatMap(([key], i) =>
      sources[i] === undefined ? [] : [{ key, source: sources[i] }],
    );
    const looks = await this.reading.of(
      found.map(({ source }) => source),
      (done) => onProgress(done, found.length),
    );
    for (const [i, { key }] of found.entries()) this.looks.set(key, looks[i]);
    const inOrder = [...this.names.keys()].filter((key) => this.looks.has(key));
    const readable = inOrder.flatMap((key) => {
      const look = this.looks.get(key);
      return look === undefined ? [] : [[key, look] as const];
    });
    const missing = files.flatMap(([key], i) => (sources[i] === undefined ? [key] : []));
    return {
      ...(this.search.hasFiles ? { missing: new Set(missing) } : {}),
      ...(inOrder.length === 0
        ? {}
        : { corrupt: new Set(inOrder.filter((key) => this.looks.get(key) === undefined)) }),
      ...{ looks: new Map(readable), names: this.names },
    };
  }

  private async flush(): Promise<void> {
    const looks = await this.reading.of(this.waiting);
    for (const [i, { key }] of this.waiting.entries()) this.looks.set(key, looks[i]);
    [this.waiting, this.bytes] = [[], 0];
  }
}
