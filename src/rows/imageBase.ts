import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Which folders reports may be believed about. */
export interface ReportScope {
  /** Where only runs of this machine are written: Captious's home, and the runs of the workspace. */
  own: readonly string[];
  /** The folders of the workspace. */
  workspace: readonly string[];
}

/**
 * The dataset beside which images of a report are looked for: as recorded where the run was made here or the dataset is in
 * the workspace, else one beside the report in the workspace, else in a folder that the user configured for images.
 */
export async function imageBase(
  report: string,
  dataset: string,
  images: readonly string[],
  { own, workspace }: ReportScope,
): Promise<string | undefined> {
  if ((await isWithin(report, own)) || (await isWithin(dataset, workspace))) return dataset;
  if (await isWithin(report, workspace)) return join(dirname(report), basename(dataset));
  return images.length === 0 ? undefined : join(images[0], basename(dataset));
}

/**
 * Where images of a person's session are looked for: as for a report, or in the session's own folder where its dataset lies there.
 * `named`: the folders that the session names; those outside the workspace count for nothing.
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
    named.map((folder) => isWithin(folder, [...scope.own, ...scope.workspace])),
  );
  return { dataset: base, images: [...images, ...named.filter((_, i) => known[i])] };
}

/** Links are resolved. A file that is gone is judged by its folder. */
async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
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
