import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { number, object, optional, type Shape, ShapeError, type Shaped, text } from '../base/shape';
import { calibrated, calibratedFields, type CalibratedFile } from './calibrated';
import { asMetric, type MetricName, metricNamed } from './clipscore';
import type { EditorModels } from './editorModels';
import type { Evaluator } from './evaluator';
import { judgeFields, type JudgeFile, openJudge } from './judgeFile';
import { openRepaired, repairedFields, type RepairedFile } from './repaired';
import { openRemote, remoteFields, type RemoteFile } from './remote';

/** A key by its name. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

/** How a kind of evaluator file becomes an evaluator. Whoever adds a kind adds an entry to `kinds`. */
export interface FileContext {
  /** The evaluator file itself. */
  path: string;
  /** Of the evaluator to be: the file's name. */
  id: string;
  /** From the file, else the id. */
  name: string;
  /** A folder or file that the evaluator file names, relative to itself. */
  place: (path: string) => string;
  /** Another evaluator: an id, or a path that begins with ./ or ../ and is relative to this file. */
  open: (ref: string) => Promise<Evaluator>;
  /** A model's folder, by its path or id; with the folder of region features, where it takes those. */
  openFolder: (path: string, regions?: string) => Promise<Evaluator>;
  home: string;
  /** The secret of that name: from the environment, or from where the editor keeps such things. */
  secret: Secret;
  /** The language models of the editor that this runs in. */
  editor?: EditorModels;
  /** An error that names this file and a key of it. */
  wrong: (key: string, message: string, remedy?: string) => CaptiousError;
}

export interface FileKind<S> {
  fields: Record<string, Shape<unknown>>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}

const metricFields = { encoder: text, prefix: optional(text), weight: optional(number) };

function metric(
  name: MetricName,
): FileKind<Shaped<Shape<{ encoder: string; prefix?: string; weight?: number }>>> {
  return {
    fields: name === 'cosine' ? { encoder: text, prefix: optional(text) } : metricFields,
    make: async ({ encoder, prefix, weight }, context) => {
      if (weight !== undefined && weight <= 0) throw context.wrong('weight', 'A weight is a number above 0.');
      const inner = await context.open(encoder);
      try {
        return asMetric(inner, metricNamed(name, { prefix, weight }), {
          id: context.id,
          name: context.name === context.id ? `${context.id} (${name} of ${inner.info.name})` : context.name,
          path: context.path,
        });
      } catch (error) {
        await inner.close();
        throw error;
      }
    },
  };
}

/** σ(factor · cos + bias), for SigLIP folders whose graphs do not tell the two numbers. */
const siglip: FileKind<{ encoder: string; factor: number; bias: number; prefix?: string }> = {
  fields: { encoder: text, factor: number, bias: number, prefix: optional(text) },
  make: async ({ encoder, factor, bias, prefix = '' }, context) => {
    const inner = await context.open(encoder);
    try {
      return asMetric(
        inner,
        {
          scale: { name: 'sigmoid', factor, bias },
          prefix,
          note: `Scores are σ(${factor}·cos ${bias < 0 ? '−' : '+'} ${Math.abs(bias)}), as ${basename(context.path)} says.`,
        },
        context,
      );
    } catch (error) {
      await inner.close();
      throw error;
    }
  },
};

const remote: FileKind<RemoteFile> = {
  fields: remoteFields,
  make: (said, { place, id, name, home }) =>
    openRemote({ ...said, folder: place(said.folder) }, { id, name, home }),
};

const calibration: FileKind<CalibratedFile> = {
  fields: calibratedFields,
  make: async (said, context) => calibrated(await context.open(said.encoder), said, context),
};

const repaired: FileKind<RepairedFile> = {
  fields: repairedFields,
  make: async (said, context) => openRepaired(await context.open(said.encoder), said, context),
};

/** A model that scores a picture and a caption together, perhaps by features of regions that were found elsewhere. */
const itm: FileKind<{ folder: string; features?: string }> = {
  fields: { folder: text, features: optional(text) },
  make: async ({ folder, features }, { id, name, path, place, openFolder, wrong }) => {
    const evaluator = await openFolder(folder, features === undefined ? undefined : place(features));
    if (evaluator.scorePairs === undefined) {
      await evaluator.close();
      throw wrong(
        'folder',
        'this model does not score a picture and a caption together.',
        'Name its id or path itself.',
      );
    }
    return {
      ...evaluator,
      info: { ...evaluator.info, id, path, name: name === id ? evaluator.info.name : name },
    };
  },
};

const judges = (kind: 'judge' | 'fleur'): FileKind<JudgeFile> => ({
  fields: judgeFields,
  make: (said, context) => openJudge(kind, said, context),
});

/** A folder with a file of this name is the evaluator that the file says. */
export const fileInFolder = 'evaluator.json';

const kinds = {
  clipscore: metric('clipscore'),
  'pac-s': metric('pac-s'),
  cosine: metric('cosine'),
  siglip,
  itm,
  judge: judges('judge'),
  fleur: judges('fleur'),
  calibrated: calibration,
  repaired,
  remote,
} satisfies Record<string, FileKind<never>>;

export const fileKinds: readonly string[] = Object.keys(kinds);

/** A file that makes an evaluator of another one, or of an endpoint: { "kind": "clipscore", "encoder": "starter" }. */
export async function openEvaluatorFile(
  path: string,
  surroundings: Pick<FileContext, 'open' | 'openFolder' | 'home' | 'secret' | 'editor'>,
): Promise<Evaluator> {
  const { open, openFolder, home, secret, editor } = surroundings;
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
  const { fields, make } = kinds[kind as keyof typeof kinds] as FileKind<unknown>;
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
  return make(checked, {
    path,
    id,
    name: checked.name ?? id,
    place,
    open: (ref) => open(isRelative(ref) ? place(ref) : ref),
    openFolder: (ref, regions) => openFolder(isRelative(ref) ? place(ref) : ref, regions),
    home,
    secret,
    ...(editor === undefined ? {} : { editor }),
    wrong,
  });
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
