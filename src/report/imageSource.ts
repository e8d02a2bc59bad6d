/* The interface through which exports request small images. */
import type { EncodedImage } from '../chart/chart';
import type { Row } from '../probe/metric';
import type { RowView } from '../probe/view';
import type { Report } from './report';
import type { TableImage } from './table/table';

export interface ImageRequest {
  path: string;
  report: Report;
  row: Row;
  /** The changes to the row's image; absent for the unchanged image. */
  transforms?: ReturnType<NonNullable<RowView['transforms']>>;
  /** The image's longer side in pixels. */
  side: number;
}

/** Finds a dataset's images. */
export interface ImageSource {
  /** Returns undefined if the image is missing or unreadable. */
  image(request: ImageRequest): Promise<EncodedImage | undefined>;
  /** The unchanged file of a row's image; undefined if the image is missing or unreadable. */
  file(request: Pick<ImageRequest, 'path' | 'report' | 'row'>): Promise<TableImage | undefined>;
  /** The authors and licences that the dataset states, by image name. */
  attributions(
    of: { path: string; report: Report },
    images: ReadonlySet<string>,
  ): Promise<Map<string, string>>;
}
