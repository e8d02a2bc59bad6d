/* Embeds small images of failures in the page. */
import { Buffer } from 'node:buffer';
import { escapeXml as e } from '../../base/xml';
import { shownPath } from '../figures';
import type { ImageSource } from '../imageSource';
import type { Report } from '../report';
import type { PlacedFault } from './faults';

/** The longest side of an image in pixels, and the largest number of images. Both limits keep pages small. */
const [side, most] = [192, 100];

/** The markup of each failure's image, by the image's name, with the dataset's attribution. */
export async function imageCells(
  of: { path: string; report: Report },
  faults: readonly PlacedFault[],
  images: ImageSource,
): Promise<Map<string, string>> {
  const rows = new Map(faults.flatMap(({ row }) => (row.image === undefined ? [] : [[row.image, row]])));
  const shown = [...rows].slice(0, most);
  const attributions = await images.attributions(of, new Set(shown.map(([name]) => name)));
  const cells = new Map<string, string>();
  for (const [name, row] of shown) {
    const image = await images.image({ ...of, row, side });
    if (image === undefined) continue;
    const { type, bytes, width, height } = image;
    const attribution = attributions.get(name);
    cells.set(
      name,
      `<img alt="${e(shownPath(name))}" width="${width}" height="${height}" src="data:${type};base64,${Buffer.from(bytes).toString('base64')}">` +
        `<span class="quiet">${e([shownPath(name), ...(attribution === undefined ? [] : [attribution])].join(' · '))}</span>`,
    );
  }
  return cells;
}
