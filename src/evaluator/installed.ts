import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/errors';
import { Fingerprints } from '../base/fingerprints';
import { homeFolder, storeFolder } from '../base/home';
import { installFolder } from '../base/install';
import { describeFolder } from './model/describe';
import { fileEnding, fileInFolder } from './evaluatorFile';
import type { EvaluatorInfo } from './evaluator';
import { ModelFolder } from './model/modelFolder';
import { runtimeOf, type RuntimeOptions } from './model/runtime';

/** One line of `captious evaluators`. */
export type InstalledEvaluator =
  /** `size`: bytes of the files that take part. */
  (EvaluatorInfo & { path: string; size: number }) | { id: string; path: string; problem: string };

export function modelsFolder(home: string): string {
  return join(home, 'models');
}

/** Folders with a config.json below the models' folder, by their path within it: `name` or `owner/name`. */
export function installedIds(home: string): string[] {
  const root = modelsFolder(home);
  const holdsModel = (id: string): boolean => existsSync(join(root, id, 'config.json'));
  return foldersIn(root)
    .flatMap((id) => (holdsModel(id) ? [id] : foldersIn(join(root, id)).map((name) => `${id}/${name}`)))
    .filter(holdsModel)
    .sort();
}

/**
 * Evaluator files below the models' folder: folders that hold an evaluator.json, and `x.evaluator.json` right in it. One
 * whose name something else has goes by its path, so that no id means another evaluator than it did.
 */
export function installedFiles(home: string): { id: string; path: string }[] {
  const root = modelsFolder(home);
  const folders = foldersIn(root).map((id) => ({ id, path: join(root, id, fileInFolder) }));
  const files = existsSync(root) ? readdirSync(root).filter((name) => name.endsWith(fileEnding)) : [];
  const taken = new Set(['starter', ...installedIds(home)]);
  return [
    ...folders.filter(({ path }) => existsSync(path)),
    ...files.map((name) => ({ id: name.slice(0, -fileEnding.length), path: join(root, name) })),
  ]
    .map(({ id, path }) => {
      if (taken.has(id)) return { id: path, path };
      taken.add(id);
      return { id, path };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function listEvaluators(options: { home?: string } = {}): Promise<InstalledEvaluator[]> {
  const home = options.home ?? homeFolder();
  const fingerprints = new Fingerprints(storeFolder(home));
  const starter = join(installFolder(), 'models', 'starter');
  const places = installedIds(home).map((id) => ({ id, path: join(modelsFolder(home), id) }));
  if (existsSync(starter)) places.unshift({ id: 'starter', path: starter });
  const list: InstalledEvaluator[] = [];
  for (const { id, path } of places) list.push(await describeInstalled(id, path, {}, fingerprints));
  return list;
}

/** What the folder holds, or why it cannot be opened. */
export async function describeInstalled(
  id: string,
  path: string,
  options: RuntimeOptions = {},
  fingerprints = new Fingerprints(undefined),
): Promise<InstalledEvaluator> {
  try {
    const folder = new ModelFolder(path);
    const { info } = await describeFolder(folder, id, runtimeOf(options), fingerprints);
    return { ...info, path, size: folder.size() };
  } catch (error) {
    return { id, path, problem: messageOf(error) };
  }
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}
