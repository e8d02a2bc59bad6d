import { existsSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { usageError } from '../../base/errors';
import { say } from '../../base/say';

/** Captious's own evaluators in Python, in python/captious/adapters. */
export const adapters = [
  'open_clip',
  'transformers',
  'sentence-transformers',
  'torchmetrics',
  'vqascore',
  'likelihood',
] as const;
export type Adapter = (typeof adapters)[number];
export const usualObject = 'Evaluator';

export interface PythonSaid {
  /** An absolute path. */
  file?: string;
  object?: string;
  adapter?: Adapter;
  /** Instead of a file or an adapter: the name of an object in the Python process that started Captious. */
  live?: string;
  /** The arguments, with absolute paths. */
  args: Record<string, unknown>;
  /** The interpreter, written as in an evaluator file. */
  python?: string;
  /** The time limit for a batch, in seconds. */
  timeout?: number;
  /** The path of a JSON file with each image's reference captions. */
  references?: string;
  /** The number of processes. */
  workers?: number;
}

export interface PythonReference {
  id: string;
  absolute: string;
  said: PythonSaid;
}

const scheme = 'python:';
const liveScheme = 'live:';
const remedy = say('python.referenceExamples');

/** Parses `python:FILE[:OBJECT][?KEY=VALUE&…]`, `ADAPTER:MODEL[?…]` or `live:NAME`; undefined otherwise. */
export function parsePythonReference(
  ref: string,
  path: (named: string) => string,
): PythonReference | undefined {
  if (ref.startsWith(liveScheme)) {
    const live = ref.slice(liveScheme.length);
    return { id: live, absolute: ref, said: { live, args: {} } };
  }
  const adapter = adapters.find((name) => ref.startsWith(`${name}:`));
  if (adapter === undefined && !ref.startsWith(scheme)) return undefined;
  const question = ref.indexOf('?');
  const [whole, query] = question < 0 ? [ref, ''] : [ref.slice(0, question), ref.slice(question + 1)];
  const place = (value: string): string => resolve(path(value));
  const own = argumentsOf(query);
  const { references, ...given } = own;
  const args = withPaths(given, place);
  const more = references === undefined ? {} : { references: place(String(references)) };
  const rest = query === '' ? '' : `?${queryOf({ ...args, ...more })}`;
  if (adapter !== undefined) {
    const model = whole.slice(adapter.length + 1);
    if (model === '') throw usageError(say('python.modelNameMissing'), remedy, ref);
    const named = isPath(model) ? place(model) : model;
    const { pretrained } = args;
    // The id includes the weights, because two checkpoints of an architecture are different evaluators.
    const weights = typeof pretrained === 'string' ? `:${basename(pretrained)}` : '';
    return {
      id: `${adapter}:${isPath(model) ? basename(named) : model}${weights}`,
      absolute: `${adapter}:${named}${rest}`,
      said: { adapter, args: { model: named, ...args }, ...more },
    };
  }
  const parts = /^(.+\.py)(?::([A-Za-z_][\w.]*))?$/is.exec(whole.slice(scheme.length));
  if (parts === null) throw usageError(say('python.notPythonFile'), remedy, ref);
  const [, given_, object = usualObject] = parts;
  const file = place(given_);
  return {
    id: pythonId(file, object),
    absolute: `${scheme}${file}:${object}${rest}`,
    said: { file, object, args, ...more },
  };
}

export function pythonId(file: string, object: string): string {
  const stem = basename(file).replace(/\.py$/i, '');
  return object === usualObject ? stem : `${stem}:${object}`;
}

/** Makes paths that begin with ./ or ../ absolute. */
export function withPaths(
  args: Readonly<Record<string, unknown>>,
  place: (named: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' && isRelativePath(value) ? place(value) : value,
    ]),
  );
}

/**
 * The arguments for the hash, at any depth. Of a path that exists, only the last part is kept, because the hash must
 * not depend on the machine. `Inputs` hashes its content. Any other text is kept whole, because it may select results.
 */
export function portable(value: unknown, folder: string): unknown {
  if (typeof value === 'string') {
    if (!isPath(value)) return value;
    const path = resolve(folder, value);
    return existsSync(path) ? basename(path) : `./${relative(folder, path)}`;
  }
  if (Array.isArray(value)) return value.map((part) => portable(part, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]): [string, unknown] => [key, portable(part, folder)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isRelativePath(value: string): boolean {
  return /^\.{1,2}([\\/]|$)/.test(value);
}

export function isPath(value: string): boolean {
  return isRelativePath(value) || isAbsolute(value);
}

/** Numbers, true, false and null are parsed as JSON. Any other value remains a text. */
function argumentsOf(query: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([key, value]): [string, unknown] => [
      key,
      /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(value)
        ? (JSON.parse(value) as unknown)
        : value,
    ]),
  );
}

function queryOf(args: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(args).map(([key, value]): [string, string] => [key, String(value)]);
  return new URLSearchParams(texts).toString();
}
