import { makeFolder } from '../../base/files/cannotWrite';
import { removeStaleParts } from '../../report/output';
import { sep } from 'node:path';
import { leftIn } from '../resume/checkpoint';

export const defaultSeed = 42;

/**
 * Creates the report folder. Removes the unfinished files of ended runs that cannot be resumed, and tells the user how
 * to delete those of other hosts.
 */
export async function prepareFolder(
  folder: string,
  onNotice: (message: string) => void = () => undefined,
): Promise<void> {
  await makeFolder(folder);
  const others = await removeStaleParts(folder, await leftIn(folder));
  if (others.length === 0) return;
  const ending = /\.[0-9a-f]{16}-\d+-\d+\.part$/;
  const endings = new Set(others.map((name) => ending.exec(name)?.[0] ?? name));
  const [remove, quote] = process.platform === 'win32' ? ['del', '"'] : ['rm', "'"];
  const quoted = `${quote}${folder.replaceAll("'", quote === "'" ? "'\\''" : "'")}${sep}${quote}`;
  onNotice(
    `${folder}: another host left unfinished files: ${others.length}. They stay, because that host may still write them. If its run has ended, delete them: ${remove} ${[...endings].map((end) => `${quoted}.*${end}`).join(' ')}`,
  );
}
