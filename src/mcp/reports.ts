/* The reports in the open folders. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { throwIfCancelled } from '../base/errors';
import type { Folders } from '../assistant/folders';

const ending = '.report.json';
const mostEntries = 50_000;
const mostDepth = 8;
const mostReports = 200;

export interface FoundReport {
  path: string;
  name: string;
}

/** The newest reports in the folders. Hidden folders, links and node_modules are not searched. */
export async function findReports({ roots }: Folders, signal: AbortSignal): Promise<FoundReport[]> {
  const found: { path: string; time: number }[] = [];
  const folders = roots.map(({ real }) => ({ path: real, depth: 0 }));
  let entries = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    throwIfCancelled(signal);
    for (const entry of await readdir(folder.path, { withFileTypes: true }).catch(() => [])) {
      if (++entries > mostEntries) return newest(found);
      const path = join(folder.path, entry.name);
      if (entry.isDirectory()) {
        if (folder.depth < mostDepth && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          folders.push({ path, depth: folder.depth + 1 });
      } else if (entry.isFile() && entry.name.endsWith(ending)) {
        const time = await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        found.push({ path, time });
      }
    }
  }
  return newest(found);
}

function newest(found: { path: string; time: number }[]): FoundReport[] {
  return found
    .sort((a, b) => b.time - a.time)
    .slice(0, mostReports)
    .map(({ path }) => ({ path, name: basename(path, ending) }));
}

export function isReportName(path: string): boolean {
  return path.endsWith(ending);
}
