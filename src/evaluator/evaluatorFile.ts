import { dirname, isAbsolute, resolve } from 'node:path';
import { CaptiousError, wordsOf } from '../base/errors';
import { readJsonSync } from '../base/readJson';
import { say } from '../base/say';
import { object, optional, ShapeError, text } from '../base/shape';
import type { Evaluator, EvaluatorPreview } from './evaluator';
import type { FileContext, FileIdentity, FileKind, PreviewContext } from './fileContext';
import { fileKinds, kinds } from './fileKinds';
import { fileId } from './reference';

/** A file that makes an evaluator of another one, or of an endpoint: { "kind": "clipscore", "encoder": "starter" }. */
interface EvaluatorFile extends FileIdentity {
  kind: string;
  /** As its kind wants it. */
  said: unknown;
}

function readEvaluatorFile(path: string): EvaluatorFile {
  const said = readObject(path);
  const wrong = (key: string, message: string, remedy?: string): CaptiousError =>
    new CaptiousError('evaluator', say`"${key}": ${message}`, { at: path, remedy });
  const { kind } = said;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    throw wrong(
      'kind',
      kind === undefined
        ? 'it is missing.'
        : typeof kind === 'string'
          ? `there is no kind ${JSON.stringify(cut(kind))}.`
          : 'this is not a text.',
      `An evaluator file says one of: ${fileKinds.join(', ')}.`,
    );
  }
  const { fields } = kindNamed(kind);
  const id = fileId(path);
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
  surroundings: Omit<FileContext, keyof FileIdentity>,
): Promise<Evaluator> {
  const { kind, said, ...file } = readEvaluatorFile(path);
  return kindNamed(kind).make(said, { ...surroundings, ...file });
}

export async function previewEvaluatorFile(
  path: string,
  surroundings: Omit<PreviewContext, keyof FileIdentity>,
): Promise<EvaluatorPreview> {
  const { kind, said, ...file } = readEvaluatorFile(path);
  return { ...(await kindNamed(kind).preview(said, { ...surroundings, ...file })), id: file.id, path, kind };
}

/** One short line of what the file says. */
function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function kindNamed(kind: string): FileKind<unknown> {
  return kinds[kind as keyof typeof kinds] as FileKind<unknown>;
}

function readObject(path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = readJsonSync(path);
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
