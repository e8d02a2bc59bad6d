import type { Entry } from './entry';

/** What one observation of these reports is, in the plural: "images", or "clusters (patient)" if the user named a column. */
export function clustersOf(entries: readonly Entry[]): string {
  const names = new Set(entries.map(({ report }) => report.dataset.cluster));
  if (names.size === 0 || (names.size === 1 && names.has(undefined))) return 'images';
  return `clusters (${[...names].map((name) => name ?? 'image').join(', ')})`;
}
