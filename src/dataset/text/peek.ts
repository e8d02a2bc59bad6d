import type { Fields } from '../cell';
import { entryFramer, type TextLayout } from '../layout';
import { textChunks } from './chunks';
import type { DetectedEncoding } from './encoding';

const enough = 8;

/** Reads the first rows of a list that begins far into the file, such as COCO's annotations after many images. */
export async function firstRowsOf(
  section: string,
  path: string,
  layout: TextLayout,
  stored: DetectedEncoding & { size?: number },
  signal?: AbortSignal,
): Promise<{ fields: Fields; section: string }[]> {
  const rows: { fields: Fields; section: string }[] = [];
  const framer = entryFramer(layout, stored, {
    entry: (entry) => {
      if (entry.section === section && rows.length < enough) rows.push({ fields: entry.fields, section });
    },
    problem: () => undefined,
  });
  for await (const chunk of textChunks(path, stored, signal)) {
    framer.feed(chunk);
    if (rows.length === enough) return rows;
  }
  framer.end();
  return rows;
}
