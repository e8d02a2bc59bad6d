import type { Ask } from '../protocol/rows';

/** Replaces the reports' keys in a request of a page. `pathOf` throws if the page has no such report. */
export function withPaths(ask: Ask, pathOf: (key: string) => string): Ask {
  const report = pathOf(ask.report);
  if (ask.type === 'pairs') return { ...ask, report, others: ask.others.map(pathOf) };
  if (!('selection' in ask) || ask.selection.versus === undefined) return { ...ask, report };
  const versus = { ...ask.selection.versus, report: pathOf(ask.selection.versus.report) };
  return { ...ask, report, selection: { ...ask.selection, versus } };
}
