import { dirname, isAbsolute, resolve } from 'node:path';
import * as z from 'zod/mini';
import { CaptiousError, evaluatorError, wordsOf } from '../base/errors';
import { readInside } from '../base/files/namedInside';
import { readJsonSync } from '../base/files/readJson';
import { findSaid, say, type Words } from '../base/say';
import { known as knownValue, optionalKey, parsed } from '../base/schema';
import { ShapeError } from '../base/shape';
import type { Evaluator, EvaluatorPreview } from './evaluator';
import type { FileContext, FileIdentity, FileKind, PreviewContext } from './fileContext';
import { fileKinds, kinds } from './fileKinds';
import { fileId } from './reference';

/** A file that defines an evaluator, such as { "kind": "clipscore", "encoder": "starter" }. */
interface EvaluatorFile extends FileIdentity {
  kind: string;
  /** The largest batch, unless the kind has its own meaning of this key. */
  batch: number | undefined;
  /** The file's other keys, checked against the schema of `kind`. */
  said: unknown;
}

/** Keys that every kind of evaluator file accepts. */
const named = {
  name: optionalKey(z.string(), 'The name of the evaluator in reports.'),
  batch: optionalKey(
    z.number(),
    'The largest batch of texts, images or pairs, as --batch, which overrides it. It affects the speed.',
  ),
};

/** The schema of each kind of file. Editors use it to complete and check evaluator files. */
export function evaluatorFileSchemas(): [kind: string, schema: z.ZodMiniObject][] {
  return Object.entries(kinds).map(([kind, { schema }]) => [
    kind,
    z.strictObject({
      $schema: z.optional(z.string()),
      kind: z.literal(kind).check(z.describe('How scores are computed.')),
      ...named,
      ...schema.shape,
    }),
  ]);
}

export function readEvaluatorFile(path: string): EvaluatorFile {
  const said = readObject(path);
  const wrong = (key: string, message: Words, remedy?: Words): CaptiousError =>
    evaluatorError(say('evaluator.keyProblem', key, message), remedy, path);
  const { kind } = said;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    throw wrong(
      'kind',
      kind === undefined
        ? say('evaluator.fieldMissing')
        : typeof kind === 'string'
          ? say('evaluator.kindUnknown', JSON.stringify(cut(kind)))
          : say('evaluator.textExpected'),
      say('base.chooseName', fileKinds.join(', ')),
    );
  }
  const own = kindNamed(kind).schema;
  const schema = z.extend(own, { ...named, ...own.shape });
  const known = ['$schema', 'kind', ...Object.keys(schema.shape)];
  for (const key of Object.keys(said)) {
    if (!known.includes(key))
      throw wrong(
        key,
        say('evaluator.keyUnknownForKind', kind),
        say('evaluator.chooseKey', known.slice(1).join(', ')),
      );
  }
  let checked: { name?: string; batch?: number };
  try {
    checked = parsed(schema, said);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const given = error.at
      .split(/[.[\]]+/)
      .filter((key) => key !== '')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], said);
    throw wrong(
      error.at,
      given === undefined
        ? say('evaluator.fieldMissing')
        : findSaid(error.expected, knownValue) !== undefined
          ? say('evaluator.valueUnknown')
          : say('evaluator.valueExpected', error.expected),
    );
  }
  const { batch } = 'batch' in own.shape ? {} : checked;
  if (batch !== undefined && !(Number.isInteger(batch) && batch >= 1))
    throw wrong('batch', say('evaluator.positiveIntegerExpected'));
  const id = fileId(path);
  const place = (other: string): string => (isAbsolute(other) ? other : resolve(dirname(path), other));
  return { path, id, name: checked.name ?? id, batch, kind, said: checked, place, wrong };
}

export async function openEvaluatorFile(
  path: string,
  surroundings: Omit<FileContext, keyof FileIdentity>,
): Promise<Evaluator> {
  const { kind, said, batch, ...file } = readEvaluatorFile(path);
  const { openPython } = surroundings;
  const evaluator = await kindNamed(kind).make(said, {
    ...surroundings,
    ...file,
    openPython: (asked, own) => openPython(asked, { ...own, ...(batch === undefined ? {} : { batch }) }),
  });
  return batch === undefined ? evaluator : Object.assign(evaluator, { batchSize: batch });
}

export async function previewEvaluatorFile(
  path: string,
  surroundings: Omit<PreviewContext, keyof FileIdentity>,
): Promise<EvaluatorPreview> {
  const { kind, said, ...file } = readEvaluatorFile(path);
  return { ...(await kindNamed(kind).preview(said, { ...surroundings, ...file })), id: file.id, path, kind };
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function kindNamed(kind: string): FileKind<unknown> {
  return kinds[kind as keyof typeof kinds] as FileKind<unknown>;
}

function readObject(path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = readInside(path) ?? readJsonSync(path);
  } catch (error) {
    const remedy = say('evaluator.fileExample');
    if (error instanceof CaptiousError)
      throw evaluatorError(error.what, error.details.remedy ?? remedy, path);
    throw evaluatorError(say('evaluator.fileUnreadable', wordsOf(error)), remedy, path);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw evaluatorError(say('evaluator.fileNotObject'), say('evaluator.fileObjectExample'), path);
}
