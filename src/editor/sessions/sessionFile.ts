import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileName } from '../../base/files/fileName';
import { readJson } from '../../base/files/readJson';

/** The path of the annotator's session file: an existing file that begins with `stem`, or else a new one. */
export async function sessionFile(stem: string, annotator: string, ending: string): Promise<string> {
  const folder = dirname(stem);
  const names = (await readdir(folder))
    .filter((name) => name.startsWith(`${basename(stem)}.`) && name.endsWith(ending))
    .sort();
  for (const name of names) {
    const path = join(folder, name);
    if ((await annotatorOf(path)) === annotator) return path;
  }
  return `${stem}.${fileName(annotator)}${ending}`;
}

async function annotatorOf(path: string): Promise<unknown> {
  try {
    const { annotator, origin } = (await readJson(path)) as {
      annotator?: unknown;
      origin?: { picked?: unknown };
    };
    // Judgments that were picked in a report are no sample to continue.
    return origin?.picked === true ? undefined : annotator;
  } catch {
    return undefined;
  }
}
