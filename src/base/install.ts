import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of Captious's package.json, found from dist/ or src/. */
export function installFolder(from: string = __dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`No package.json above ${from}`);
  }
}
