import { throwIfCancelled, usageError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { homeFolder, storeFolder } from '../base/files/home';
import { suggestCheckpoint } from './checkpoint/suggest';
import { asMetric, metricNamed } from './clipscore';
import type { Allow, Evaluator } from './evaluator';
import { openEvaluatorFile } from './evaluatorFile';
import type { Secret } from './fileContext';
import { openEditorJudge } from './judge/editorJudge';
import type { RequestSink } from './judge/batch/batchModel';
import type { EditorModels } from './judge/editorModels';
import { buildEvaluator } from './model/blueprint';
import { describeFolder } from './model/describe';
import { ModelFolder } from './model/modelFolder';
import { openWithAnyProvider } from './model/provider';
import { runtimeOf, type RuntimeOptions } from './model/runtime';
import type { EnginesOptions } from './native/engines';
import { openPython, type OpenPythonOptions, type PythonOptions } from './python/python';
import { type FolderReference, folderNamed, parseReference, type Reference } from './reference';
import { openRemote } from './remote/remote';
import { overlapEvaluator } from './overlap/evaluator';
import { withReferences } from './overlap/refClipScore';
import type { NameFolders } from '../dataset/images/nameFolders';
import type { References } from './overlap/references';
import { say } from '../base/say';

export interface OpenOptions extends RuntimeOptions {
  /** Captious's home folder. The default is `homeFolder()`. */
  home?: string;
  signal?: AbortSignal;
  engine?: EnginesOptions;
  /** Looks up an API key by name. By default, keys come from environment variables. */
  secret?: Secret;
  /** The editor's language models. Absent outside an editor. */
  editor?: EditorModels;
  /** Asks for consent to contact a server or to run Python. Without this function, only stored consent counts. */
  allow?: Allow;
  /** The largest batch for evaluators written in Python. Other evaluators ignore this option. */
  batch?: number;
  /** Settings for evaluators written in Python. */
  python?: PythonOptions;
  /** Reads the reference captions, for evaluators that need them. */
  references?: () => Promise<References>;
  /** The folders in the image names of the dataset, for evaluators that find images by name. */
  imageFolders?: () => Promise<NameFolders | undefined>;
  /** If set, judges write their requests here instead of sending them. */
  requests?: RequestSink;
  /** Receives messages for the user, for example that a process was restarted. */
  onNotice?: (message: string) => void;
  /** The file that names the evaluator, if the user did not. Paths with ./ or ../ start at its folder. */
  namedIn?: string;
}

type Options = OpenOptions & { home: string };

/** Opens an evaluator. `ref` may have any form that `parseReference` accepts. */
export async function openEvaluator(ref: string, options: OpenOptions = {}): Promise<Evaluator> {
  const { home = homeFolder(), namedIn } = options;
  try {
    return await openWithin(ref, { ...options, home }, namedIn === undefined ? [] : [namedIn]);
  } catch (error) {
    throw await suggestCheckpoint(error);
  }
}

/** `within`: the paths of the evaluator files that led to `ref`, outermost first. */
async function openWithin(ref: string, options: Options, within: readonly string[]): Promise<Evaluator> {
  throwIfCancelled(options.signal);
  return openReference(parseReference(ref, { home: options.home, within }), options, within);
}

async function openReference(
  reference: Reference,
  options: Options,
  within: readonly string[],
): Promise<Evaluator> {
  const { home, editor, engine, signal, allow } = options;
  switch (reference.type) {
    case 'starter':
    case 'installed':
    case 'folder':
      return openFolder(reference, options);
    case 'metric': {
      const { id, metric, of } = reference;
      const inner = await openReference(of, options, within);
      try {
        return asMetric(inner, metricNamed(metric), { id, name: `${metric} of ${inner.info.name}` });
      } catch (error) {
        await inner.close();
        throw error;
      }
    }
    case 'overlap':
      return overlapEvaluator(reference.metric, await referencesIn(options, reference.id));
    case 'referenced': {
      const { id, metric, of } = reference;
      const references = await referencesIn(options, id);
      const inner = await openReference(of, options, within);
      return withReferences(inner, references, { id, name: `${metric} of ${inner.info.name}` });
    }
    case 'editor': {
      const { id, model } = reference;
      return openEditorJudge({ model }, { id, name: id, home, ...(editor === undefined ? {} : { editor }) });
    }
    case 'remote': {
      const { id, said } = reference;
      return openRemote(said, { id, name: id, home, engine, signal, allow });
    }
    case 'python': {
      const { id, absolute, said, named } = reference;
      return openPython(said, { ...pythonOptions(options), id, absolute, named });
    }
    case 'file': {
      const { path } = reference;
      const here = [...within, path];
      return openEvaluatorFile(path, {
        home,
        secret: options.secret ?? ((name) => process.env[name]),
        storesKeys: options.secret !== undefined,
        references: () => referencesIn(options, path),
        ...{ imageFolders: options.imageFolders, requests: options.requests, onNotice: options.onNotice },
        ...{ editor, allow },
        open: (inner, wish) => openWithin(inner, { ...options, ...wish }, here),
        openFolder: (named, regions, wish) =>
          openFolder(folderNamed(named, { home, within: here }), { ...options, ...wish }, regions),
        openPython: (said, own) => {
          const batch = options.batch ?? own.batch;
          return openPython(said, { ...pythonOptions(options), ...own, batch, named: true });
        },
      });
    }
  }
}

async function referencesIn({ references }: Options, id: string): Promise<References> {
  if (references !== undefined) return references();
  throw usageError(say('evaluator.needsReferences', id), say('evaluator.provideReferences'));
}

function pythonOptions(options: Options): Omit<OpenPythonOptions, 'id' | 'named'> {
  const { home, signal, python, allow, threads, batch, references, imageFolders, engine, onNotice } = options;
  return { home, signal, python, allow, threads, batch, references, imageFolders, engine, onNotice };
}

/** `regions`: the folder of region features, if the model needs one. */
async function openFolder(
  { id, path }: FolderReference,
  options: Options,
  regions?: string,
): Promise<Evaluator> {
  const folder = new ModelFolder(path, options.resize);
  const openOn = async (provider: string | undefined): Promise<Evaluator> => {
    const runtime = runtimeOf({ ...options, provider });
    const fingerprints = new Fingerprints(storeFolder(options.home));
    const { blueprint, info } = await describeFolder(folder, id, runtime, fingerprints, regions);
    throwIfCancelled(options.signal);
    const names = blueprint.pair?.regionFiles === undefined ? undefined : await options.imageFolders?.();
    return buildEvaluator(folder, info, blueprint, runtime, options.engine, names);
  };
  return options.provider === 'auto' ? openWithAnyProvider(openOn, options.signal) : openOn(options.provider);
}
