import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { nearest } from '../base/text/nearest';
import type { ExperimentFile } from './check';

/** The error about a path of an experiment file that does not exist, with the nearest name in its folder. */
export function missingFile(
  file: Pick<ExperimentFile, 'wrong'>,
  at: (string | number)[],
  named: string,
  path: string,
  kind: 'file' | 'folder',
): CaptiousError {
  const best = nearest(basename(path), namesIn(dirname(path), kind));
  const what = kind === 'file' ? say('experiment.noFile', named) : say('experiment.noFolder', named);
  return file.wrong(
    at,
    what,
    best === undefined || best === basename(path)
      ? say('experiment.pathsStartHere')
      : say('experiment.didYouMean', best),
  );
}

function namesIn(folder: string, kind: 'file' | 'folder'): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
