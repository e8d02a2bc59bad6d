/* RoCOCO's altered captions and images as tables with the images inside. */
import { actionable } from '../../base/errors';
import { readStored } from '../../base/files/archived';
import { versions } from '../../base/files/versions';
import type { Outcome } from '../../base/outcome';
import type { Words } from '../../base/say';
import { imageItemKey } from '../../evaluator/wantKey';
import type { AlteredEntry, PublishedImage } from '../../probe/rococo/published';
import type { ImageItem } from '../../protocol/item';
import type { ColumnKind, Table, TableCell } from '../../report/table/table';

const drawnAtOnce = 16;

/** A row for each image: its file, its captions and their altered versions. Captious reads it as RoCOCO. */
export function captionTable(entries: readonly AlteredEntry[]): Table {
  // Entries without an image, and those whose image was not found, have its name alone.
  const hasImages = entries.every(({ source }) => source !== undefined);
  return tableOf(
    [
      ['image', hasImages ? 'image' : 'string'],
      ['caption', 'texts'],
      ['altered', 'texts'],
    ],
    captionRows(entries, hasImages),
  );
}

async function* captionRows(
  entries: readonly AlteredEntry[],
  hasImages: boolean,
): AsyncGenerator<TableCell[]> {
  for (const { image, source, caption, altered } of entries) {
    const cell = hasImages ? { bytes: await bytesOf(source!), path: image } : image;
    yield [cell, caption, altered];
  }
}

/** A row for each altered image: its PNG file, the name of the image that was altered, and how. */
export function imageTable(
  images: readonly PublishedImage[],
  draw: (items: readonly ImageItem[]) => Promise<Outcome<Uint8Array>[]>,
  on: { written: () => void; problem: (problem: Words) => void },
): Table {
  async function* rows(): AsyncGenerator<TableCell[]> {
    for (let i = 0; i < images.length; i += drawnAtOnce) {
      const some = images.slice(i, i + drawnAtOnce);
      const files = await draw(some.map(({ item }) => item));
      for (const [j, file] of files.entries()) {
        if (!file.ok) {
          on.problem(file.problem);
          continue;
        }
        on.written();
        const { item, image, kind, seed, transform } = some[j];
        const cell = { bytes: file.value, path: `${imageItemKey(item)}.png` };
        yield [cell, image, kind, seed, JSON.stringify(transform)];
      }
    }
  }
  return tableOf(
    [
      ['image', 'image'],
      ['of', 'string'],
      ['images', 'string'],
      ['seed', 'number'],
      ['transform', 'string'],
    ],
    rows(),
  );
}

function tableOf(columns: [string, ColumnKind][], rows: Table['rows']): Table {
  return { columns: new Map(columns), rows, notes: {}, createdBy: `captious ${versions().captious}` };
}

async function bytesOf(source: ImageItem['source']): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes;
  try {
    return await readStored(source.path);
  } catch (error) {
    throw actionable(error, source.path);
  }
}
