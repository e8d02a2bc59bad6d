import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { object, optional, ShapeError, text } from '../base/shape';
import type { Evaluator } from './evaluator';
import { type FileContext, type FileKind, fileKinds, kinds, type ScoresOf } from './fileKinds';
import type { WantKind } from '../protocol/item';

/** A folder with a file of this name is the evaluator that the file says. */
export const fileInFolder = 'evaluator.json';
/** Of evaluator files elsewhere. */
export const fileEnding = '.evaluator.json';

/** A file that makes an evaluator of another one, or of an endpoint: { "kind": "clipscore", "encoder": "starter" }. */
export interface EvaluatorFile extends Pick<FileContext, 'path' | 'id' | 'name' | 'place' | 'wrong'> {
  kind: string;
  /** As its kind wants it. */
  said: unknown;
}

export function readEvaluatorFile(path: string): EvaluatorFile {
  const said = readObject(path);
  const wrong = (key: string, message: string, remedy?: string): CaptiousError =>
    new CaptiousError('evaluator', say`"${key}": ${message}`, { at: path, remedy });
  const { kind } = said;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    throw wrong(
      'kind',
      kind === undefined ? 'it is missing.' : `there is no kind ${JSON.stringify(kind)}.`,
      `An evaluator file says one of: ${fileKinds.join(', ')}.`,
    );
  }
  const { fields } = kindNamed(kind);
  const own = basename(path) === fileInFolder ? dirname(path) : path;
  const id = basename(own).replace(/(\.evaluator)?\.json$/i, '');
  const known = ['$schema', 'kind', 'name', ...Object.keys(fields)];
  for (const key of Object.keys(said)) {
    if (!known.includes(key))
      throw wrong(
        key,
        `a file of the kind ${kind} has no such key.`,
        `Its keys are: ${known.slice(1).join(', ')}.`,
      );
  }
  let checked: { name?: string };
  try {
    checked = object({ name: optional(text), ...fields })(said, '') as { name?: string };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const given = error.at
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], said);
    throw wrong(error.at, given === undefined ? 'it is missing.' : `this is not ${error.expected}.`);
  }
  const place = (named: string): string => (isAbsolute(named) ? named : resolve(dirname(path), named));
  return { path, id, name: checked.name ?? id, kind, said: checked, place, wrong };
}

export async function openEvaluatorFile(
  path: string,
  surroundings: Pick<FileContext, 'open' | 'openFolder' | 'home' | 'secret' | 'editor'>,
): Promise<Evaluator> {
  const { open, openFolder, home, secret, editor } = surroundings;
  const { kind, said, ...file } = readEvaluatorFile(path);
  return kindNamed(kind).make(said, {
    ...file,
    open: (ref) => open(beside(file, ref)),
    openFolder: (ref, regions) => openFolder(beside(file, ref), regions),
    home,
    secret,
    ...(editor === undefined ? {} : { editor }),
  });
}

/** What the evaluator can score, without opening it. */
export async function scoresOfFile(file: EvaluatorFile, of: ScoresOf): Promise<readonly WantKind[]> {
  return kindNamed(file.kind).scores(file.said, (ref) => of(beside(file, ref)));
}

function kindNamed(kind: string): FileKind<unknown> {
  return kinds[kind as keyof typeof kinds] as FileKind<unknown>;
}

/** What a file names begins with ./ or ../ where it lies beside it. */
function beside({ place }: Pick<EvaluatorFile, 'place'>, ref: string): string {
  return isRelative(ref) ? place(ref) : ref;
}

function isRelative(ref: string): boolean {
  return /^\.{1,2}([\\/]|$)/.test(ref);
}

function readObject(path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CaptiousError('evaluator', say`The evaluator file cannot be read: ${wordsOf(error)}`, {
      at: path,
      remedy: say`It holds one JSON object, as in { "kind": "clipscore", "encoder": "starter" }.`,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new CaptiousError('evaluator', say`An evaluator file holds one JSON object.`, {
    at: path,
    remedy: say`As in { "kind": "clipscore", "encoder": "starter" }.`,
  });
}
