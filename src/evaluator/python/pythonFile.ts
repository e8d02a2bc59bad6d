import { existsSync } from 'node:fs';
import * as z from 'zod/mini';
import { evaluatorError } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { say } from '../../base/say';
import type { FileIdentity, KindPreview } from '../fileContext';
import { adapters, type PythonSaid, usualObject, withPaths } from './reference';
import { optionalKey } from '../../base/schema';

/** The content of an evaluator file of kind "python". */
export const pythonFile = z.object({
  file: optionalKey(z.string(), 'The Python file, as in ./my_metric.py.'),
  object: optionalKey(
    z.string(),
    'The class, function or object in the file that is the evaluator. Default: "Evaluator".',
  ),
  adapter: optionalKey(z.enum(adapters), 'Instead of a file: the built-in evaluator for this library.'),
  args: optionalKey(
    z.record(z.string(), z.unknown()),
    'Keyword arguments of the class or function. Texts that begin with ./ or ../ are paths relative to this file.',
  ),
  python: optionalKey(
    z.string(),
    'The interpreter: a path relative to this file, the folder of an environment, conda:NAME, or a command.',
  ),
  timeout: optionalKey(z.number(), 'Time limit for a batch in seconds. Default: 600.'),
  workers: optionalKey(z.number(), 'Number of processes that share the work. Default: 1.'),
  references: optionalKey(
    z.string(),
    'A JSON file with a list of reference captions for each image name. Needed if the method score uses references.',
  ),
});
export type PythonFile = z.infer<typeof pythonFile>;

const longestTimeout = 24 * 3600;
const mostWorkers = 16;

/** Checks the content of the file, as far as this is possible without Python. */
export function pythonSaid(
  { file, object, adapter, args = {}, python, timeout, workers, references }: PythonFile,
  { place, wrong }: Pick<FileIdentity, 'place' | 'wrong'>,
): PythonSaid {
  if ((file === undefined) === (adapter === undefined))
    throw wrong('file', say('python.fileOrAdapterExpected'));
  if (adapter !== undefined && object !== undefined) throw wrong('object', say('python.adapterWithObject'));
  if (timeout !== undefined && !(timeout > 0 && timeout <= longestTimeout))
    throw wrong('timeout', say('python.timeoutRange', longestTimeout));
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= mostWorkers))
    throw wrong('workers', say('python.workersRange', mostWorkers));
  return {
    ...(file === undefined ? {} : { file: place(file), object: object ?? usualObject }),
    ...(adapter === undefined ? {} : { adapter }),
    args: withPaths(args, place),
    ...(python === undefined ? {} : { python: /^\.{1,2}[\\/]/.test(python) ? place(python) : python }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(workers === undefined ? {} : { workers }),
    ...(references === undefined ? {} : { references: place(references) }),
  };
}

const allScores = ['text-text', 'image-text', 'image-image'] as const;

/** Finds out from the source code what the evaluator can do, without running it. Some methods may be missed. */
export function previewPython(said: PythonSaid, name: string): KindPreview {
  const { file, adapter, live } = said;
  if (live !== undefined)
    return { name, remote: false, python: true, scores: [...allScores], sharedSpace: true };
  if (file === undefined) return { name, remote: false, python: true, ...abilitiesOf(adapter!) };
  if (!existsSync(file)) throw evaluatorError(say('python.fileMissing'), say('python.checkFilePath'), file);
  const source = readBoundedSync(file).toString('utf8');
  const has = (method: string): boolean => new RegExp(`\\bdef\\s+${method}\\b`).test(source);
  const [images, texts, score] = [has('embed_images'), has('embed_texts'), has('score')];
  // The methods may be inherited. Only opening the evaluator shows which ones it has.
  const unknown = !images && !texts && !score;
  return {
    name,
    remote: false,
    python: true,
    scores: [
      ...(texts || unknown ? (['text-text'] as const) : []),
      ...((images && texts) || score || unknown ? (['image-text'] as const) : []),
      ...(images || unknown ? (['image-image'] as const) : []),
    ],
    sharedSpace: (images && texts) || unknown,
  };
}

function abilitiesOf(
  adapter: NonNullable<PythonSaid['adapter']>,
): Pick<KindPreview, 'scores' | 'sharedSpace'> {
  switch (adapter) {
    case 'open_clip':
    case 'transformers':
      return { scores: [...allScores], sharedSpace: true };
    case 'sentence-transformers':
      return { scores: ['text-text'], sharedSpace: false };
    case 'torchmetrics':
    case 'vqascore':
    case 'likelihood':
      return { scores: ['image-text'], sharedSpace: false };
  }
}
