import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { homeFolder, storeFolder } from '../../base/files/home';
import { readBounded } from '../../base/files/readFile';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';

/*
 * Records each index that Captious writes, in Captious's home folder. Files next to a report may come from
 * anywhere, but programs cannot set a file's inode and change time.
 */

const mostReceipt = 1 << 12;

/** Records the files' current state. */
export async function keepReceipt(paths: readonly string[]): Promise<void> {
  const path = await receiptOf(paths[0]);
  await mkdir(join(path, '..'), { recursive: true });
  await replaceFile(path, await stampsOf(paths), ownerOnly);
}

/** Whether these files were recorded together and are unchanged. */
export async function hasReceipt(paths: readonly string[]): Promise<boolean> {
  try {
    return String(await readBounded(await receiptOf(paths[0]), mostReceipt)) === (await stampsOf(paths));
  } catch {
    return false;
  }
}

async function receiptOf(path: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(path))
    .digest('hex')
    .slice(0, 32);
  return join(storeFolder(homeFolder()), 'indexes', name);
}

async function stampsOf(paths: readonly string[]): Promise<string> {
  const states = await Promise.all(paths.map((path) => stat(path, { bigint: true })));
  return states
    .map(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(' '))
    .join('\n');
}
