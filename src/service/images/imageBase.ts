import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { imagePlace } from '../../dataset/images/imagePlaces';
import { isOnOtherHost } from './networkPath';

/** The folders that decide whether the paths in a report are used. */
export interface ReportScope {
  /** Folders that only this machine's runs write: Captious's home and the workspace's runs. */
  own: readonly string[];
  workspace: readonly string[];
}

/**
 * The dataset path for the image search: the recorded path if the report is in `own` or the dataset in `workspace`.
 * Otherwise, the dataset's file name in the folder of a report in `workspace`, or else in the first image folder.
 */
export async function imageBase(
  report: string,
  dataset: string,
  images: readonly string[],
  { own, workspace }: ReportScope,
): Promise<string | undefined> {
  if ((await isWithin(report, own)) || (await isWithin(dataset, workspace))) return dataset;
  if (await isWithin(report, workspace)) return join(dirname(report), basename(dataset));
  return images.length === 0 ? undefined : join(imagePlace(images[0]).folder, basename(dataset));
}

/**
 * Where to search for the images of an annotation session: as for a report, or next to the session if the dataset is
 * in the same folder. Image folders that the session names are used only if they are in the folders of `scope`.
 */
export async function sessionImages(
  { session, dataset, named }: { session: string; dataset: string; named: readonly string[] },
  images: readonly string[],
  scope: ReportScope,
): Promise<{ dataset: string; images: string[] } | undefined> {
  const base =
    (await imageBase(session, dataset, images, scope)) ??
    (dirname(dataset) === dirname(session) ? dataset : undefined);
  if (base === undefined) return undefined;
  const known = await Promise.all(
    named.map((given) => isWithin(imagePlace(given).folder, [...scope.own, ...scope.workspace])),
  );
  return { dataset: base, images: [...images, ...named.filter((_, i) => known[i])] };
}

/** Whether a path is in one of the folders after resolving links. For a missing file, its folder counts. */
async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  if (isOnOtherHost(path, folders)) return false;
  const real = await realpath(path).catch(() =>
    realpath(dirname(path)).then(
      (folder) => join(folder, basename(path)),
      () => undefined,
    ),
  );
  if (real === undefined) return false;
  for (const folder of folders) {
    const below = await realpath(folder).then(
      (root) => relative(root, real),
      () => '..',
    );
    if (below !== '..' && !below.startsWith(`..${sep}`) && !/^([a-z]:|[\\/])/i.test(below)) return true;
  }
  return false;
}
