import { onlyFileNames, shownPath } from '../figures';
import type { Report } from '../report';

/** The report with absolute paths reduced to file names, because folders reveal the author's machine. */
export function withoutFolders(report: Report): Report {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return shownPath(onlyFileNames(value));
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, shown(own)]));
  };
  return shown(report) as Report;
}
