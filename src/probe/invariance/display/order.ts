import type { Slice } from '../../metric';

/** The order of families in a report. Other families follow alphabetically. */
const order = [
  ...['vflip', 'hflip', 'rotation', 'reposition', 'blur'],
  ...['cultural', 'economic', 'gender', 'emotion', 'sociopolitical', 'neutral'],
];
const variantOrder = ['-10', '-5', '+5', '+10', 'tl', 'tr', 'bl', 'br', '1', '2'];

/** A group of changes whose metrics a report lists together. */
export interface Ordered {
  axis: string;
  family: string;
  /** The variant's name; empty for the whole family. */
  variant: string;
  slice?: Slice;
}

export function byOrder(a: Ordered, b: Ordered): number {
  const rank = (list: readonly string[], name: string): number =>
    list.includes(name) ? list.indexOf(name) : list.length;
  const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  return (
    rank(order, a.family) - rank(order, b.family) ||
    compare(a.family, b.family) ||
    compare(JSON.stringify(a.slice ?? ''), JSON.stringify(b.slice ?? '')) ||
    Number(a.variant !== '') - Number(b.variant !== '') ||
    rank(variantOrder, a.variant) - rank(variantOrder, b.variant) ||
    compare(a.variant, b.variant)
  );
}
