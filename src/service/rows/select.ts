import type { Facet, Results, Selection } from '../../protocol/rows';
import type { RowIndex } from './rowIndex';
import type { Versus } from './versus';

/** Returns a test for lines that pass the selection's filters; undefined if there are no filters. */
export function filterOf(
  index: RowIndex,
  { text, facets, range, versus: chosen }: Omit<Selection, 'sort'>,
  versus?: Versus,
): ((at: number) => boolean) | undefined {
  const needle = text.trim();
  const keep = chosen?.keep;
  const withText = needle === '' ? undefined : index.rowsWith(needle);
  const wanted = index.view.facets.flatMap(({ id }, i) => {
    const values = Object.hasOwn(facets, id) ? facets[id] : undefined;
    if (values === undefined) return [];
    const column = index.facets[i];
    return [{ codes: column.codes.data, passes: column.values.map((value) => values.includes(value)) }];
  });
  if (withText === undefined && range === undefined && keep === undefined && wanted.length === 0)
    return undefined;
  const rowOf = index.rowOf.data;
  const delta = index.delta.data;
  return (at) =>
    (range === undefined ||
      (delta[at] >= range.low &&
        delta[at] < range.high &&
        (range.judged === undefined || (index.verdict(at) !== 'none') === range.judged))) &&
    wanted.every(({ codes, passes }) => passes[codes[at]]) &&
    (withText === undefined || withText[rowOf[at]] === 1) &&
    (keep === undefined || versus?.side(at) === keep);
}

/** The indices of a selection's lines, in the selected order. */
export function select(index: RowIndex, selection: Selection, versus?: Versus): Uint32Array {
  const { count } = index;
  if (selection.sort === 'image')
    return byImage(index, select(index, { ...selection, sort: 'worst' }, versus));
  const order = selection.sort === 'file' ? undefined : index.order(selection.sort);
  const passes = filterOf(index, selection, versus);
  if (passes === undefined) return order ?? Uint32Array.from({ length: count }, (_, at) => at);
  const out = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const at = order === undefined ? i : order[i];
    if (passes(at)) out[size++] = at;
  }
  // Copies the lines, because a part of `out` would keep the memory of the whole array.
  return out.slice(0, size);
}

/**
 * Sorts wrong lines and ties before all other lines. Each of these two parts has the first line of each image, then
 * the second line of each image, and so on.
 */
function byImage(index: RowIndex, order: Uint32Array): Uint32Array {
  const isMiss = (at: number): boolean => ['wrong', 'tie'].includes(index.verdict(at));
  const misses = order.filter(isMiss);
  const rest = order.filter((at) => !isMiss(at));
  const out = new Uint32Array(order.length);
  out.set(inTurns(index, misses));
  out.set(inTurns(index, rest), misses.length);
  return out;
}

function inTurns(index: RowIndex, order: Uint32Array): Uint32Array {
  const seen = new Uint32Array(index.images);
  const ranks = order.map((at) => seen[index.image(at)]++);
  const starts = new Uint32Array(order.length + 1);
  for (const rank of ranks) starts[rank + 1]++;
  for (let rank = 1; rank < starts.length; rank++) starts[rank] += starts[rank - 1];
  const out = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) out[starts[ranks[i]]++] = order[i];
  return out;
}

/** Counts these table lines by verdict. */
export function resultsOf(index: RowIndex, lines: Uint32Array): Results {
  const results: Results = { right: 0, wrong: 0, tie: 0, none: 0 };
  for (const at of lines) results[index.verdict(at)]++;
  return results;
}

/** Every facet with its values and their line counts, most frequent first. */
export function facetsOf(index: RowIndex): Facet[] {
  return index.view.facets.map(({ id, title, filter = title }, i) => {
    const { values, codes } = index.facets[i];
    const counts = new Array<number>(values.length).fill(0);
    for (let at = 0; at < index.count; at++) counts[codes.data[at]]++;
    return {
      id,
      title: filter,
      values: values.map((value, code) => ({ value, n: counts[code] })).sort((a, b) => b.n - a.n),
    };
  });
}
