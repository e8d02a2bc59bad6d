/* Files inside ZIP archives. Their paths lead through the archive as through a folder: `images.zip/train/1.jpg`. */
import { stat } from 'node:fs/promises';
import { isFile } from './isFile';
import { openRegular, readBounded } from './readFile';
import { readEntry, type ZipEntry, ZipFile } from './zip';

/** The largest accepted file in an archive. */
const mostBytes = 256 << 20;
/** How many archives have their directories in memory. */
const kept = 8;

export interface Archived {
  archive: string;
  /** With slashes. Empty for the archive itself. */
  inner: string;
}

/** The names in a folder of an archive. */
export interface ArchiveFolder {
  files: string[];
  folders: string[];
}

interface Contents {
  entries: ReadonlyMap<string, ZipEntry>;
  folders: ReadonlyMap<string, ArchiveFolder>;
}

interface Opened {
  /** Changes when the archive is rewritten. */
  stamp: string;
  contents: Promise<Contents>;
}

const opened = new Map<string, Opened>();

export function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

/** Undefined for a path that does not lead into an archive. */
export function archived(path: string): Archived | undefined {
  for (const { index } of path.matchAll(/\.zip(?=[\\/]|$)/gi)) {
    const archive = path.slice(0, index + 4);
    if (isFile(archive)) return { archive, inner: path.slice(index + 5).replaceAll('\\', '/') };
  }
  return undefined;
}

/** The file on disk that holds a path's bytes: the archive, or the file itself. */
export function storedIn(path: string): string {
  return archived(path)?.archive ?? path;
}

/** The bytes of a file on disk or in an archive. */
export function readStored(path: string, most = mostBytes): Promise<Buffer> {
  const place = archived(path);
  return place === undefined ? readBounded(path, most) : readArchived(place);
}

/** The bytes of a file in an archive. Throws a Reason if the archive has no such file or is damaged. */
export async function readArchived({ archive, inner }: Archived): Promise<Buffer> {
  const entry = (await contentsOf(archive)).entries.get(inner);
  if (entry === undefined)
    throw Object.assign(new Error(`ENOENT: ${archive}/${inner}`), { code: 'ENOENT', syscall: 'open' });
  const file = await openRegular(archive);
  try {
    return await readEntry(file, entry, mostBytes);
  } finally {
    await file.close();
  }
}

/** What a folder of an archive contains; undefined if there is no such folder. Throws a Reason for a damaged archive. */
export async function archiveFolder({ archive, inner }: Archived): Promise<ArchiveFolder | undefined> {
  return (await contentsOf(archive)).folders.get(inner);
}

async function contentsOf(archive: string): Promise<Contents> {
  const { size, mtimeNs, ino } = await stat(archive, { bigint: true });
  const stamp = `${size} ${mtimeNs} ${ino}`;
  let known = opened.get(archive);
  if (known?.stamp !== stamp) {
    known = { stamp, contents: readContents(archive) };
    opened.delete(archive);
    opened.set(archive, known);
    for (const oldest of opened.keys()) if (opened.size > kept) opened.delete(oldest);
  }
  return known.contents;
}

async function readContents(archive: string): Promise<Contents> {
  const zip = await ZipFile.open(archive);
  await zip.close();
  const entries = new Map<string, ZipEntry>();
  const folders = new Map<string, ArchiveFolder>([['', { files: [], folders: [] }]]);
  const folderOf = (path: string): ArchiveFolder => {
    let folder = folders.get(path);
    if (folder === undefined) {
      folders.set(path, (folder = { files: [], folders: [] }));
      const [above, name] = parted(path);
      folderOf(above).folders.push(name);
    }
    return folder;
  };
  for (const entry of zip.entries.values()) {
    // Some programs on Windows write backslashes.
    const path = entry.name
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.')
      .join('/');
    if (path === '' || entries.has(path)) continue;
    entries.set(path, entry);
    const [folder, name] = parted(path);
    folderOf(folder).files.push(name);
  }
  return { entries, folders };
}

function parted(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}
