/* Finds images for exports, with the same search as a run. */
import type { EncodedImage } from '../../chart/chart';
import { actionable, CaptiousError } from '../../base/errors';
import { readStored } from '../../base/files/archived';
import type { Example } from '../../dataset/example';
import { openDataset } from '../../dataset/open';
import { jpegSize } from '../../dataset/images/jpegSize';
import type { ImageRequest, ImageSource } from '../../report/imageSource';
import type { TableImage } from '../../report/table/table';
import type { Report } from '../../report/report';
import { imageBase, type ReportScope } from './imageBase';
import { Images } from './images';

/** Columns with an image's author or licence. */
const credits =
  /^(attribution|credits?|authors?|photographer|owner|copyright|licen[cs]e|rights|source_?url|flickr_url)$/i;

export class ReportImages implements ImageSource {
  private readonly images = new Images();
  /** The number of missing or unreadable images. */
  missing = 0;

  constructor(
    private readonly folders: (report: string) => readonly string[],
    private readonly scope: ReportScope,
  ) {}

  image({ path, report, row, transforms, side }: ImageRequest): Promise<EncodedImage | undefined> {
    return this.found({ path, report, row }, async (base, folders, name) => {
      const bytes = await this.images.small(base, folders, name, side, transforms);
      const size = jpegSize(bytes);
      return size && { type: 'image/jpeg', bytes, ...size };
    });
  }

  file(request: Pick<ImageRequest, 'path' | 'report' | 'row'>): Promise<TableImage | undefined> {
    return this.found(request, async (base, folders, name) => {
      const source = await this.images.find(base, folders, name);
      return source && { bytes: 'bytes' in source ? source.bytes : await stored(source.path), path: name };
    });
  }

  private async found<T>(
    { path, report, row }: Pick<ImageRequest, 'path' | 'report' | 'row'>,
    make: (base: string, folders: readonly string[], name: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (row.image === undefined) return undefined;
    const folders = this.folders(path);
    const base = await imageBase(path, report.dataset.path, folders, this.scope);
    try {
      const made = base === undefined ? undefined : await make(base, folders, row.image);
      if (made !== undefined) return made;
    } catch (error) {
      if (!(error instanceof CaptiousError)) throw error;
    }
    this.missing++;
    return undefined;
  }

  async attributions(
    { path, report }: { path: string; report: Report },
    images: ReadonlySet<string>,
  ): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const base = await imageBase(path, report.dataset.path, this.folders(path), this.scope);
    if (base === undefined || images.size === 0) return found;
    try {
      for await (const example of (await openDataset(base)).read()) {
        for (const { name } of example.images) {
          const credit = images.has(name) ? creditOf(example) : undefined;
          if (credit !== undefined) found.set(name, credit);
        }
        if (found.size === images.size) break;
      }
    } catch (error) {
      // The images may exist although the dataset file is missing.
      if (!(error instanceof CaptiousError)) throw error;
    }
    return found;
  }

  close(): Promise<void> {
    return this.images.close();
  }
}

/** The example's credits; undefined if it has none. Ignores numbers, such as COCO's licence ids. */
function creditOf({ attributes }: Example): string | undefined {
  const own = Object.entries(attributes).filter(
    (entry): entry is [string, string] =>
      credits.test(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '',
  );
  return own.length === 0 ? undefined : own.map(([key, value]) => `${key}: ${value}`).join(' · ');
}

async function stored(path: string): Promise<Uint8Array> {
  try {
    return await readStored(path);
  } catch (error) {
    throw actionable(error, path);
  }
}
