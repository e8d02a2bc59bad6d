import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { CaptiousError } from '../base/errors';
import { installFolder } from '../base/install';
import { say } from '../base/say';
import { fileInFolder } from './evaluatorFile';
import { installedFiles, installedIds, modelsFolder } from './installed';
import { ModelFolder } from './model/modelFolder';

/** The folder of a model: `starter`, the id of an installed one, or a path. */
export function findFolder(ref: string, home: string): { folder: ModelFolder; id: string } {
  if (ref === 'starter') {
    const path = join(installFolder(), 'models', 'starter');
    if (isFolder(path)) return { folder: new ModelFolder(path), id: 'starter' };
    throw new CaptiousError('evaluator', say`The starter encoder is not part of this installation.`, {
      at: path,
      remedy: say`Install Captious again, or name another evaluator.`,
    });
  }
  const installed = join(modelsFolder(home), ref);
  if (isId(ref) && isFolder(installed)) return { folder: new ModelFolder(installed), id: ref };
  if (isFolder(ref)) {
    const folder = new ModelFolder(ref);
    return { folder, id: folder.name };
  }
  const ids = ['starter', ...installedIds(home), ...installedFiles(home).map(({ id }) => id)];
  if (existsSync(ref)) {
    throw new CaptiousError('evaluator', say`This is a file; the folder of a model was expected.`, {
      at: ref,
      remedy: say`Name the folder that holds config.json and onnx/, or an evaluator file, whose name ends in .evaluator.json.`,
    });
  }
  throw new CaptiousError(
    'usage',
    say`There is no evaluator "${ref}": no model of that id, and no folder of that name.`,
    {
      remedy: say`Installed: ${ids.join(', ')}. Or give the path to a folder with config.json, tokenizer.json and onnx/model.onnx.`,
    },
  );
}

/** The evaluator file that is meant, where one is: an installed one by its id, a path to it or to its folder. */
export function findFile(ref: string, home: string): string | undefined {
  if (ref === '') return undefined;
  const installed = isId(ref) ? installedFiles(home).find(({ id }) => id === ref) : undefined;
  if (installed !== undefined) return installed.path;
  const path = ref.endsWith('.json') ? ref : join(ref, fileInFolder);
  return existsSync(path) && statSync(path).isFile() ? resolve(path) : undefined;
}

function isId(ref: string): boolean {
  return ref !== '' && !isAbsolute(ref) && !ref.split(/[\\/]/).some((part) => part === '.' || part === '..');
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
