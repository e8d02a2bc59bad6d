import { nearest } from '../base/text/nearest';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { CaptiousError, evaluatorError, usageError } from '../base/errors';
import { entriesOf, isFile, isFolder } from '../base/files/isFile';
import { namedInside } from '../base/files/namedInside';
import { installFolder } from '../base/install';
import { say, type Words } from '../base/say';
import { type MetricName, metricPrefix } from './clipscore';
import { editorScheme } from './judge/editorModels';
import { parsePythonReference, type PythonSaid } from './python/reference';
import { type OverlapMetric, overlapMetrics } from './overlap/overlap';
import { referencedIn, type ReferencedMetric } from './overlap/names';
import type { RemoteFile } from './remote/remoteFile';

type FolderType = 'starter' | 'installed' | 'folder';

/** A parsed reference to an evaluator. */
export type Reference = {
  /** The id of the opened evaluator. */
  id: string;
  /** The reference with absolute paths. It names the same evaluator in every folder. */
  absolute: string;
} & (
  | { type: FolderType; path: string }
  | { type: 'file'; path: string }
  | { type: 'metric'; metric: MetricName; of: Reference }
  | { type: 'overlap'; metric: OverlapMetric }
  | { type: 'referenced'; metric: ReferencedMetric; of: Reference }
  | { type: 'remote'; said: RemoteFile }
  | { type: 'editor'; model: string }
  | { type: 'python'; said: PythonSaid; named: boolean }
);

export type FolderReference = Extract<Reference, { path: string; type: FolderType }>;

export interface ReferenceContext {
  home: string;
  /** The evaluator files that led to the reference, outermost first. ./ and ../ are relative to the last one. */
  within?: readonly string[];
}

/** The name of an evaluator file that describes the evaluator of its folder. */
export const fileInFolder = 'evaluator.json';
/** The usual ending of the names of other evaluator files. */
export const fileEnding = '.evaluator.json';
const remoteScheme = 'oip+';
/** The deepest nesting of evaluator files, or of metrics in a reference. Deeper nesting is a mistake or an attack. */
const deepest = 32;

/**
 * Parses an evaluator's id or path, `oip+http://HOST?folder=…&text=…`, `python:FILE:OBJECT`, an adapter such
 * as `open_clip:MODEL`, `vscode.lm:MODEL`, or a metric such as `clipscore:starter`.
 */
export function parseReference(ref: string, context: ReferenceContext): Reference {
  const referenced = referencedIn(ref);
  if (referenced !== undefined) {
    const of = parseReference(referenced.inner, context);
    const { metric } = referenced;
    return { type: 'referenced', id: `ref${of.id}`, absolute: `ref${of.absolute}`, metric, of };
  }
  const prefix = metricPrefix(ref);
  const prefixes = prefix.split(':').slice(0, -1) as MetricName[];
  if (prefixes.length > deepest)
    throw usageError(say('evaluator.metricChainTooLong', deepest), say('evaluator.nameOneMetric'));
  return prefixes.reduceRight<Reference>(
    (of, metric) => ({
      type: 'metric',
      id: `${metric}:${of.id}`,
      absolute: `${metric}:${of.absolute}`,
      metric,
      of,
    }),
    parsePlain(ref.slice(prefix.length), context),
  );
}

/** Like `parseReference`, but accepts only a model folder. */
export function folderNamed(ref: string, context: ReferenceContext): FolderReference {
  const found = parseReference(ref, context);
  if (found.type === 'starter' || found.type === 'installed' || found.type === 'folder') return found;
  throw noFolder(ref);
}

/** Returns absolute references to all evaluators with this id, among the installed ones and those in `also`. */
export function referencesTo(id: string, home: string, also: readonly string[]): string[] {
  const prefix = metricPrefix(id);
  const plain = id.slice(prefix.length);
  const found = [...knownIds(home), ...also].flatMap((ref) => {
    try {
      let reference = parseReference(ref, { home });
      while (reference.type === 'metric') reference = reference.of;
      return reference.id === plain ? [`${prefix}${reference.absolute}`] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

/** Parses a reference without a metric prefix. */
function parsePlain(ref: string, { home, within = [] }: ReferenceContext): Reference {
  if (ref.startsWith(`${editorScheme}:`))
    return { type: 'editor', id: ref, absolute: ref, model: ref.slice(editorScheme.length + 1) };
  const overlap = overlapMetrics.find((metric) => metric === ref);
  if (overlap !== undefined) return { type: 'overlap', id: overlap, absolute: overlap, metric: overlap };
  const path = (named: string): string => placeBeside(named, within.at(-1));
  if (/^oip\+https?:/i.test(ref)) return parseRemote(ref, path);
  const python = parsePythonReference(ref, path);
  if (python !== undefined) return { type: 'python', ...python, named: within.length > 0 };
  if (ref === 'starter') return starter();
  const installed = isId(ref) ? installedAs(ref, home) : undefined;
  const found = installed ?? atPath(path(ref), ref);
  if (found === undefined) throw noSuchEvaluator(ref, home);
  if (found.type !== 'file') return found;
  if (within.includes(found.path))
    throw new CaptiousError('evaluator', say('evaluator.fileRefersToItself'), {
      at: found.path,
      remedy: say('evaluator.breakSelfReference', fileInFolder, fileEnding, fileInFolder),
    });
  if (within.length >= deepest) throw tooDeep(within[0]);
  return found;
}

function starter(): Reference {
  const path = join(installFolder(), 'models', 'starter');
  if (isFolder(path)) return { type: 'starter', id: 'starter', absolute: 'starter', path };
  throw evaluatorError(say('evaluator.starterMissing'), say('evaluator.reinstallOrChooseOther'), path);
}

function installedAs(id: string, home: string): Reference | undefined {
  const path = join(modelsFolder(home), id);
  const folder: Reference = { type: 'installed', id, absolute: id, path };
  if (holdsModel(path)) return folder;
  const file = installedFiles(home).find((one) => one.id === id);
  if (file !== undefined) return { type: 'file', id: fileId(file.path), absolute: id, path: file.path };
  return isFolder(path) ? folder : undefined;
}

function atPath(given: string, ref: string): Reference | undefined {
  if (ref === '') return undefined;
  const path = resolve(given);
  const inside = namedInside(path);
  if (inside !== undefined) return { type: 'file', id: inside.name, absolute: path, path };
  const file = path.endsWith('.json') ? path : join(path, fileInFolder);
  if (isFile(file))
    return { type: 'file', id: fileId(file), absolute: path.endsWith('.json') ? file : path, path: file };
  if (isFolder(path)) return { type: 'folder', id: basename(realpathSync(path)), absolute: path, path };
  if (!existsSync(path)) return undefined;
  throw noFolder(ref);
}

function noFolder(at: string): CaptiousError {
  if (/\.(pt|pth|bin|safetensors)$/i.test(at))
    return evaluatorError(say('evaluator.weightsWithoutModel'), say('evaluator.nameModelOfWeights', at), at);
  return evaluatorError(say('evaluator.modelFolderExpected'), say('evaluator.chooseModelFolder'), at);
}

/** Parses a remote evaluator: `oip+http://host:8000?folder=./clip&text=clip_text&image=clip_vision`. */
function parseRemote(ref: string, path: (named: string) => string): Reference {
  const remedy = say('evaluator.serverAddressExample');
  const wrong = (message: Words): CaptiousError => usageError(message, remedy, ref);
  const given = ref.slice(remoteScheme.length);
  if (!URL.canParse(given)) throw wrong(say('evaluator.notServerAddress'));
  const url = new URL(given);
  const keys = Object.fromEntries(url.searchParams);
  const known = ['folder', 'text', 'textVersion', 'image', 'imageVersion'];
  const strange = Object.keys(keys).find((key) => !known.includes(key));
  if (strange !== undefined) throw wrong(say('evaluator.addressParameterUnknown', strange));
  if (keys.folder === undefined || keys.text === undefined)
    throw wrong(say('evaluator.addressParametersNeeded'));
  const folder = resolve(path(keys.folder));
  url.searchParams.set('folder', folder);
  const absolute = `${remoteScheme}${url.href}`;
  url.search = '';
  const said: RemoteFile = { ...keys, folder, text: keys.text, endpoint: url.href };
  return { type: 'remote', id: said.text, absolute, said };
}

/** The id of an evaluator file: the name of the file, or of its folder for evaluator.json. */
export function fileId(path: string): string {
  return namedInside(path)?.name ?? basename(nameOfFile(path)).replace(/(\.evaluator)?\.json$/i, '');
}

/** The path that names an evaluator file: the folder's path for evaluator.json, otherwise the file's path. */
export function nameOfFile(path: string): string {
  return basename(path) === fileInFolder ? dirname(path) : path;
}

function placeBeside(named: string, file: string | undefined): string {
  return file !== undefined && /^\.{1,2}([\\/]|$)/.test(named) ? resolve(dirname(file), named) : named;
}

export function modelsFolder(home: string): string {
  return join(home, 'models');
}

/** The ids of the starter, of the installed models and of the installed evaluator files. */
export function knownIds(home: string): string[] {
  const first = isFolder(join(installFolder(), 'models', 'starter')) ? ['starter'] : [];
  return [...first, ...installedIds(home), ...installedFiles(home).map(({ id }) => id)];
}

/** The folders under models/ that contain a config.json, as `name` or `owner/name`. */
function installedIds(home: string): string[] {
  const root = modelsFolder(home);
  const holds = (id: string): boolean => holdsModel(join(root, id));
  return foldersIn(root)
    .flatMap((id) => (holds(id) ? [id] : foldersIn(join(root, id)).map((name) => `${id}/${name}`)))
    .filter(holds)
    .sort();
}

/** Each folder's evaluator.json, and each `NAME.evaluator.json`. If an id is taken, the path is the id. */
export function installedFiles(home: string): { id: string; path: string }[] {
  const root = modelsFolder(home);
  const folders = foldersIn(root).map((id) => ({ id, path: join(root, id, fileInFolder) }));
  const files = entriesOf(root).filter(({ name }) => name.endsWith(fileEnding));
  const taken = new Set(['starter', ...installedIds(home)]);
  return [
    ...folders.filter(({ path }) => existsSync(path)),
    ...files.map(({ name }) => ({ id: name.slice(0, -fileEnding.length), path: join(root, name) })),
  ]
    .map(({ id, path }) => {
      if (taken.has(id)) return { id: path, path };
      taken.add(id);
      return { id, path };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function foldersIn(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}

function holdsModel(path: string): boolean {
  return existsSync(join(path, 'config.json'));
}

function isId(ref: string): boolean {
  return ref !== '' && !isAbsolute(ref) && !ref.split(/[\\/]/).some((part) => part === '.' || part === '..');
}

function noSuchEvaluator(ref: string, home: string): CaptiousError {
  const known = knownIds(home);
  const all = say('evaluator.chooseKnownOrPath', known.join(', '));
  const meant = nearest(ref, [...known, ...overlapMetrics]);
  return new CaptiousError('usage', say('evaluator.notFound', ref), {
    remedy: meant === undefined ? all : say('base.nearestName', meant, all),
  });
}

function tooDeep(at: string | undefined): CaptiousError {
  return evaluatorError(say('evaluator.fileChainTooLong', deepest), say('evaluator.setEncoderToModel'), at);
}
