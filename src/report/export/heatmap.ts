import { largest, smallest } from '../../base/extent';
import { escapeXml as e } from '../../base/xml';
import { shortened, textWidth } from './chart';
import type { Chart } from '../../probe/chart';

type HeatmapParts = Omit<Extract<Chart, { type: 'heatmap' }>, 'type'>;

const cell = 46;

/** A table with a number and a shade in each cell. */
export function heatmap({ title, rows, columns, values }: HeatmapParts): string {
  const present = values.flat().filter((value) => value !== null);
  const [low, high] = [smallest(present), largest(present)];
  const left = rows.some((name) => name !== '') ? 8 + widthOf(rows.map(shortened)) : 0;
  // If a name is wider than a cell, the names are rotated.
  const isTurned = widthOf(columns) > cell;
  const top = columns.every((name) => name === '') ? 0 : isTurned ? 12 + 0.62 * widthOf(columns) : 22;
  const depth = (value: number) => (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0);
  const cells = values.flatMap((row, i) =>
    row.flatMap((value, j) => {
      if (value === null) return [];
      const [x, y] = [left + j * cell, top + i * cell];
      return [
        `<rect class="mark" x="${x}" y="${y}" width="${cell - 1}" height="${cell - 1}" opacity="${(0.06 + 0.54 * depth(value)).toFixed(2)}"/>` +
          `<text x="${x + cell / 2}" y="${y + cell / 2 + 4}" text-anchor="middle">${value.toFixed(3)}</text>`,
      ];
    }),
  );
  const names =
    rows
      .map(
        (name, i) =>
          `<text x="${left - 6}" y="${top + i * cell + cell / 2 + 4}" text-anchor="end">${e(shortened(name))}</text>`,
      )
      .join('') +
    columns
      .map((name, j) =>
        isTurned
          ? `<text transform="translate(${left + j * cell + cell / 2} ${top - 8}) rotate(-38)">${e(name)}</text>`
          : `<text x="${left + j * cell + cell / 2}" y="${top - 8}" text-anchor="middle">${e(name)}</text>`,
      )
      .join('');
  const [width, height] = [
    left + columns.length * cell + (isTurned ? 0.8 * widthOf(columns.slice(-1)) - cell / 2 : 0),
    top + rows.length * cell,
  ];
  return (
    `<figure><figcaption>${e(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${e(title)}">${names}${cells.join('')}</svg></figure>`
  );
}

function widthOf(names: readonly string[]): number {
  return Math.ceil(largest(names.map(textWidth)));
}
