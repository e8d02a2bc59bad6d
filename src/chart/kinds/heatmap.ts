import { largest, smallest } from '../../base/extent';
import type { Kind } from '../chart';
import { box, figure, type Shape, shortened, textWidth, words } from '../drawing';
import type { Layout } from '../layout';

/** The largest and the smallest width of a cell. A number fits even into the smallest cell. */
const [widest, narrowest] = [46, 34];

/** A table with a number and a shade per cell. */
export function heatmap({ rows, columns, values }: Kind<'heatmap'>, width: number): Layout {
  const present = values.flat().filter((value) => value !== null);
  const [low, high] = [smallest(present), largest(present)];
  const left = rows.some((name) => name !== '') ? 8 + widthOf(rows.map((name) => shortened(name))) : 0;
  const cell = Math.min(widest, Math.max(narrowest, (width - left) / columns.length));
  // If a column name is wider than a cell, all column names are rotated.
  const isTurned = widthOf(columns) > cell;
  const top = columns.every((name) => name === '') ? 0 : isTurned ? 12 + 0.62 * widthOf(columns) : 22;
  const depth = (value: number) => (high > low ? (value - low) / (high - low) : 0);
  const cells = values.flatMap((row, i) =>
    row.flatMap((value, j): Shape[] => {
      if (value === null) return [];
      const [x, y] = [left + j * cell, top + i * widest];
      return [
        box(x, y, [cell - 1, widest - 1], 'mark', 0.06 + 0.54 * depth(value)),
        words(x + cell / 2, y + widest / 2 + 4, figure(value), 'middle', { size: cell < 40 ? 10.5 : 12 }),
      ];
    }),
  );
  const names = [
    ...rows.map((name, i) => words(left - 6, top + i * widest + widest / 2 + 4, shortened(name), 'end')),
    ...columns.map((name, j) => {
      const x = left + j * cell + cell / 2;
      return isTurned ? words(x, top - 8, name, 'start', { turn: -38 }) : words(x, top - 8, name, 'middle');
    }),
  ];
  return {
    width: left + columns.length * cell + (isTurned ? 0.8 * widthOf(columns.slice(-1)) - cell / 2 : 0),
    height: top + rows.length * widest,
    shapes: [...names, ...cells],
  };
}

function widthOf(names: readonly string[]): number {
  return Math.ceil(largest(names.map((name) => textWidth(name))));
}
