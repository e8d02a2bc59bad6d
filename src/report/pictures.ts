/* The interface through which exports request small images. */
import type { Picture } from '../chart/chart';
import type { Row } from '../probe/metric';
import type { RowView } from '../probe/view';
import type { Report } from './report';

export interface PictureRequest {
  path: string;
  report: Report;
  row: Row;
  /** The changes to the row's image; absent for the unchanged image. */
  transforms?: ReturnType<NonNullable<RowView['transforms']>>;
  /** The image's longer side in pixels. */
  side: number;
}

/** Finds a dataset's images. */
export interface PictureSource {
  /** Returns undefined if the image is missing or unreadable. */
  picture(request: PictureRequest): Promise<Picture | undefined>;
  /** The authors and licences that the dataset states, by image name. */
  attributions(
    of: { path: string; report: Report },
    images: ReadonlySet<string>,
  ): Promise<Map<string, string>>;
}

/** The image size in the header of a JPEG; undefined if the header has no size. */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 9 < bytes.length && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
