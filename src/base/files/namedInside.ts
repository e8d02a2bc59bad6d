/* Evaluators inside an experiment file, whose paths are "captious.json#NAME". */
import { existsSync } from 'node:fs';
import { CaptiousError } from '../errors';
import { readBoundedSync } from './readFile';
import { say } from '../say';
import { readCommented } from '../text/commented';

interface Inside {
  path: string;
  file: string;
  name: string;
}

/** Undefined for the path of a file or a folder. */
export function namedInside(path: string): Inside | undefined {
  const [, file, name] = /^(.+\.(?:json|ya?ml))#([^/\\#]+)$/is.exec(path) ?? [];
  return file === undefined || existsSync(path) || !existsSync(file) ? undefined : { path, file, name };
}

/** The object that defines an evaluator inside a file. Undefined for the path of a file. */
export function readInside(path: string): unknown {
  const inside = namedInside(path);
  if (inside === undefined) return undefined;
  const { file, name } = inside;
  const { value } = readCommented(readBoundedSync(file).toString('utf8'), file);
  const runs = [value, ...Object.values(recordOf(recordOf(value).runs))];
  const found = runs
    .flatMap((run) => recordOf(run).evaluators)
    .find((entry) => recordOf(entry).name === name);
  if (found !== undefined) return found;
  throw new CaptiousError('evaluator', say('base.noEvaluatorOfName', name), {
    remedy: say('base.addEvaluatorOfName'),
  });
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
