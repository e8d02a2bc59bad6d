import { openDataset } from '../open';
import { countedKind } from '../openCounted';
import type { Dataset } from '../dataset';
import { namesParts } from '../parts/paths';
import { blockSize } from '../tar/tarHeader';
import { readHead } from '../text/chunks';

/** How many bytes of recently read images stay in memory. */
const kept = 64 << 20;

/** The embedded images of a dataset file, by name. */
export class ImagesInside {
  private readonly recent = new Map<string, Uint8Array>();
  private held = 0;
  private rows: Promise<ReadonlyMap<string, number>> | undefined;

  private constructor(private readonly dataset: Dataset & Required<Pick<Dataset, 'at'>>) {}

  /** Opens a Parquet file, an Arrow file or a tar archive. Undefined for other formats, whose files contain no images. */
  static async open(path: string): Promise<ImagesInside | undefined> {
    if (!namesParts(path)) {
      const head = await readHead(path, blockSize);
      if (countedKind(head) === undefined) return undefined;
    }
    const dataset = await openDataset(path);
    return hasRows(dataset) ? new ImagesInside(dataset) : undefined;
  }

  /** The bytes of an image; undefined if the file contains no image of this name. `own`: the image's row, if known. */
  async find(name: string, own?: number): Promise<Uint8Array | undefined> {
    // Only reading a row of a Parquet file reveals its image name, so the first call without a row reads all rows.
    const row = own ?? (await (this.rows ??= this.readAll())).get(name);
    if (row === undefined) return undefined;
    const known = this.recent.get(name);
    if (known !== undefined) return known;
    for await (const { images } of this.dataset.at(row))
      for (const image of images) {
        if (image.bytes !== undefined) this.keep(image.name, image.bytes);
        if (image.name === name) return image.bytes;
      }
    return undefined;
  }

  private async readAll(): Promise<ReadonlyMap<string, number>> {
    const rows = new Map<string, number>();
    if (this.dataset.imageNames !== undefined) {
      for await (const [name, row] of this.dataset.imageNames()) if (!rows.has(name)) rows.set(name, row);
      return rows;
    }
    for await (const { images, row } of this.dataset.read())
      for (const { name, bytes } of images) {
        if (bytes === undefined || rows.has(name)) continue;
        rows.set(name, row);
        if (this.held + bytes.length <= kept) this.keep(name, bytes);
      }
    return rows;
  }

  private keep(name: string, bytes: Uint8Array): void {
    if (this.recent.has(name)) return;
    // A view would keep all data of the decoded page in memory, so the bytes are copied.
    this.recent.set(name, bytes.slice());
    this.held += bytes.length;
    for (const [oldest, { length }] of this.recent) {
      if (this.held <= kept) break;
      this.recent.delete(oldest);
      this.held -= length;
    }
  }
}

function hasRows(dataset: Dataset): dataset is Dataset & Required<Pick<Dataset, 'at'>> {
  return dataset.at !== undefined;
}
