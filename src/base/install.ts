import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder Captious itself is installed in: the one that holds its package.json, from dist/ as from src/. */
export function installFolder(from: string = __dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`No package.json above ${from}`);
  }
}
