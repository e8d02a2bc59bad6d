import { addTo } from '../../base/lists';
import type { Slice } from '../metric';
import type { HumanRow } from './row';

/** A tag with more values than this has no slices, because its values probably identify examples. */
const mostValues = 20;
const longestValue = 80;

export interface Group<R> {
  slice: Slice;
  rows: R[];
}

/** The rows of each system. A row with two captions belongs to both captions' systems. */
export function systemGroups<R extends Pick<HumanRow, 'systems'>>(rows: readonly R[]): Group<R>[] {
  const names = new Set(rows.flatMap(({ systems = [] }) => systems));
  if (names.size < 2) return [];
  return [...names].map((system) => ({
    slice: { system },
    rows: rows.filter(({ systems = [] }) => systems.includes(system)),
  }));
}

/**
 * The rows grouped by the values of each tag. Excludes tags with only one value, with too many or too long values,
 * or with names of systems.
 */
export function groupsOf<R extends Pick<HumanRow, 'tags' | 'systems'>>(rows: readonly R[]): Group<R>[] {
  const names = new Set(
    rows.flatMap(({ tags = {}, systems = [] }) =>
      Object.keys(tags).filter((name) => !systems.includes(String(tags[name]))),
    ),
  );
  return [...names].flatMap((name) => {
    const values = new Map<string | boolean, R[]>();
    for (const row of rows) {
      const value = row.tags?.[name];
      if ((typeof value !== 'string' && typeof value !== 'boolean') || value === '') continue;
      addTo(values, value, row);
      const isLong = typeof value === 'string' && value.length > longestValue;
      if (isLong || values.size > mostValues) return [];
    }
    if (values.size < 2 || 2 * values.size > rows.length) return [];
    return [...values].map(([value, own]) => ({ slice: { [name]: value }, rows: own }));
  });
}
