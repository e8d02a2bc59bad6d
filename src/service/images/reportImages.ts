/* Finds images for exports, with the same search as a run. */
import type { EncodedImage } from '../../chart/chart';
import { CaptiousError } from '../../base/errors';
import type { Example } from '../../dataset/example';
import { openDataset } from '../../dataset/open';
import { jpegSize } from '../../dataset/images/jpegSize';
import type { ImageRequest, ImageSource } from '../../report/imageSource';
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

  async image({ path, report, row, transforms, side }: ImageRequest): Promise<EncodedImage | undefined> {
    if (row.image === undefined) return undefined;
    const folders = this.folders(path);
    const base = await imageBase(path, report.dataset.path, folders, this.scope);
    try {
      const bytes =
        base === undefined ? undefined : await this.images.small(base, folders, row.image, side, transforms);
      const size = bytes && jpegSize(bytes);
      if (bytes !== undefined && size !== undefined) return { type: 'image/jpeg', bytes, ...size };
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
