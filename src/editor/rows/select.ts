import type { Facet, Selection } from '../../protocol/rows';
import type { RowIndex } from './rowIndex';

/** Indices of the lines that a selection lets through, in its order. */
export function select(index: RowIndex, { text, facets, range, sort }: Selection): Uint32Array {
  const { count, rowOf } = index;
  const order = sort === 'file' ? undefined : index.order(sort);
  const needle = text.trim();
  const withText = needle === '' ? undefined : index.rowsWith(needle);
  const wanted = index.lens.facets.flatMap(({ id }, i) => {
    const values = Object.hasOwn(facets, id) ? facets[id] : undefined;
    if (values === undefined) return [];
    const column = index.facets[i];
    return [{ codes: column.codes.data, passes: column.values.map((value) => values.includes(value)) }];
  });
  const delta = index.delta.data;
  const out = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const at = order === undefined ? i : order[i];
    if (range !== undefined && (delta[at] < range.low || delta[at] > range.high)) continue;
    if (!wanted.every(({ codes, passes }) => passes[codes[at]])) continue;
    if (withText !== undefined && withText[rowOf.data[at]] === 0) continue;
    out[size++] = at;
  }
  return out.subarray(0, size);
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
