import type { NumberCell } from '../table';

export const spreads = ['ci', 'pm', 'none'] as const;
/** The text below a value: its interval, half the interval's length, or nothing. */
export type Spread = (typeof spreads)[number];

export function secondLine(cell: NumberCell, spread: Spread): string {
  const own = spreadOf(cell, spread);
  const after = cell.after === undefined ? '' : spreadOf(cell.after, spread);
  const both = after === '' ? own : `${own} → ${after}`;
  const { beside } = cell;
  return [both, beside === undefined ? '' : `${beside.sign} ${beside.shown}`]
    .filter((part) => part !== '')
    .join(', ');
}

function spreadOf({ ci, plusMinus }: NumberCell, spread: Spread): string {
  if (spread === 'none' || ci === undefined) return '';
  return spread === 'ci' ? `[${ci[0]}, ${ci[1]}]` : `±${plusMinus}`;
}

/** Splits a cell into its value and the rest, such as "0.866†" and "[0.861, 0.871]". */
export function oneLine(cell: NumberCell, spread: Spread): { value: string; rest: string } {
  const value = cell.after === undefined ? cell.shown : `${cell.shown} → ${cell.after.shown}`;
  return { value: `${value}${cell.level ? '†' : ''}`, rest: secondLine(cell, spread) };
}
