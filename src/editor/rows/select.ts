import type { Facet, Selection } from '../../protocol/rows';
import type { RowIndex } from './rowIndex';

/** Indices of the lines that a selection lets through, in its order. */
export function select(index: RowIndex, selection: Selection): Uint32Array {
  const passing = filter(index, selection);
  if (selection.sort === 'file') return passing;
  const key = sortKey(index, selection.sort);
  // Equal ones keep the order of the file, so that the same selection always shows the same.
  return passing.sort((a, b) => key(a) - key(b) || a - b);
}

function sortKey(index: RowIndex, sort: Exclude<Selection['sort'], 'file'>): (at: number) => number {
  const harm = index.harm.data;
  const delta = index.delta.data;
  switch (sort) {
    case 'worst':
      return (at) => -harm[at];
    case 'best':
      return (at) => harm[at];
    case 'change':
      return (at) => -Math.abs(delta[at]);
    case 'length':
      return (at) => -index.wordsOf(at).length;
  }
}

function filter(index: RowIndex, { text, facets, range }: Selection): Uint32Array {
  const out = new Uint32Array(index.count);
  const needle = text.trim().toLowerCase();
  const wanted = index.lens.facets.flatMap(({ id }, i) => {
    const values = Object.hasOwn(facets, id) ? facets[id] : undefined;
    if (values === undefined) return [];
    const column = index.facets[i];
    return [{ codes: column.codes.data, passes: column.values.map((value) => values.includes(value)) }];
  });
  const delta = index.delta.data;
  let size = 0;
  for (let at = 0; at < index.count; at++) {
    if (range !== undefined && (delta[at] < range.low || delta[at] > range.high)) continue;
    if (!wanted.every(({ codes, passes }) => passes[codes[at]])) continue;
    if (needle !== '' && !index.wordsOf(at).includes(needle)) continue;
    out[size++] = at;
  }
  return out.slice(0, size);
}

/** Every facet with its values and how many lines have each, most frequent first. */
export function facetsOf(index: RowIndex): Facet[] {
  return index.lens.facets.map(({ id, title }, i) => {
    const { values, codes } = index.facets[i];
    const counts = new Array<number>(values.length).fill(0);
    for (let at = 0; at < index.count; at++) counts[codes.data[at]]++;
    return {
      id,
      title,
      values: values.map((value, code) => ({ value, n: counts[code] })).sort((a, b) => b.n - a.n),
    };
  });
}
