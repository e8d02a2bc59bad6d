import { throwIfCancelled, usageError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { homeFolder, storeFolder } from '../base/files/home';
import { suggestCheckpoint } from './checkpoint/suggest';
import { asMetric, metricNamed, previewMetric } from './clipscore';
import type { Allow, Evaluator, EvaluatorPreview } from './evaluator';
import { openEvaluatorFile, previewEvaluatorFile } from './evaluatorFile';
import type { Secret } from './fileContext';
import { openEditorJudge } from './judge/editorJudge';
import type { RequestSink } from './judge/batch/batchModel';
import { type EditorModels, outsideEditor } from './judge/editorModels';
import { buildEvaluator } from './model/blueprint';
import { describeFolder } from './model/describe';
import { ModelFolder } from './model/modelFolder';
import { openWithAnyProvider } from './model/provider';
import { runtimeOf, type RuntimeOptions } from './model/runtime';
import type { EnginesOptions } from './native/engines';
import { openPython, type OpenPythonOptions, type PythonOptions } from './python/python';
import { previewPython } from './python/pythonFile';
import { type FolderReference, folderNamed, parseReference, type Reference } from './reference';
import { openRemote } from './remote/remote';
import { previewRemote } from './remote/remoteFile';
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

export interface PreviewOptions extends RuntimeOptions {
  home: string;
  /** Whether VS Code's language models are available. */
  insideEditor?: boolean;
  /** The cache of file hashes. Several previews can share it, so that it is read only once. */
  fingerprints?: Fingerprints;
}

type Options = OpenOptions & { home: string };
type Previewing = PreviewOptions & { fingerprints: Fingerprints };

/** Opens an evaluator. `ref` may have any form that `parseReference` accepts. */
export async function openEvaluator(ref: string, options: OpenOptions = {}): Promise<Evaluator> {
  const { home = homeFolder(), namedIn } = options;
  try {
    return await openWithin(ref, { ...options, home }, namedIn === undefined ? [] : [namedIn]);
  } catch (error) {
    throw await suggestCheckpoint(error);
  }
}

/** Returns what a user needs to know to choose an evaluator. Throws most errors that opening it would throw. */
export async function previewEvaluator(ref: string, options: PreviewOptions): Promise<EvaluatorPreview> {
  const fingerprints = options.fingerprints ?? new Fingerprints(storeFolder(options.home));
  return previewWithin(ref, { ...options, fingerprints }, []);
}

/** `within`: the paths of the evaluator files that led to `ref`, outermost first. */
async function openWithin(ref: string, options: Options, within: readonly string[]): Promise<Evaluator> {
  throwIfCancelled(options.signal);
  return openReference(parseReference(ref, { home: options.home, within }), options, within);
}

async function previewWithin(
  ref: string,
  options: Previewing,
  within: readonly string[],
): Promise<EvaluatorPreview> {
  return preview(parseReference(ref, { home: options.home, within }), options, within);
}

/** How evaluators of one kind of reference are opened and previewed. */
interface Kind<R> {
  open(reference: R, options: Options, within: readonly string[]): Promise<Evaluator>;
  preview(reference: R, options: Previewing, within: readonly string[]): Promise<EvaluatorPreview>;
}

const folders: Kind<FolderReference> = {
  open: (reference, options) => openFolder(reference, options),
  preview: (reference, options) => previewFolder(reference, options),
};

const imageText = { scores: ['image-text'], sharedSpace: false } as const;

const kinds: { [T in Reference['type']]: Kind<Extract<Reference, { type: T }>> } = {
  starter: folders,
  installed: folders,
  folder: folders,
  metric: {
    async open({ id, metric, of }, options, within) {
      const inner = await openReference(of, options, within);
      try {
        return asMetric(inner, metricNamed(metric), { id, name: `${metric} of ${inner.info.name}` });
      } catch (error) {
        await inner.close();
        throw error;
      }
    },
    async preview({ id, metric, of }, options, within) {
      const inner = await preview(of, options, within);
      const name = `${metric} of ${inner.name}`;
      return { ...previewMetric(inner, metricNamed(metric), { id, name }), kind: metric };
    },
  },
  overlap: {
    open: async ({ id, metric }, options) => overlapEvaluator(metric, await referencesIn(options, id)),
    preview: async ({ id }) => ({ id, name: id, kind: 'references', ...imageText, remote: false }),
  },
  referenced: {
    async open({ id, metric, of }, options, within) {
      const references = await referencesIn(options, id);
      const inner = await openReference(of, options, within);
      return withReferences(inner, references, { id, name: `${metric} of ${inner.info.name}` });
    },
    async preview({ id, metric, of }, options, within) {
      const inner = await preview(of, options, within);
      return { ...inner, id, name: `${metric} of ${inner.name}`, kind: metric, ...imageText };
    },
  },
  editor: {
    open: ({ id, model }, { home, editor }) =>
      openEditorJudge({ model }, { id, name: id, home, ...(editor === undefined ? {} : { editor }) }),
    async preview({ id, model }, { insideEditor = false }) {
      if (!insideEditor) throw outsideEditor(model);
      return { id, name: id, kind: 'judge', ...imageText, remote: true };
    },
  },
  remote: {
    open: ({ id, said }, { home, engine, signal, allow }) =>
      openRemote(said, { id, name: id, home, engine, signal, allow }),
    preview: async ({ id, said }) => ({ ...previewRemote(said, id), id, kind: 'remote' }),
  },
  python: {
    open: ({ id, absolute, said, named }, options) =>
      openPython(said, { ...pythonOptions(options), id, absolute, named }),
    preview: async ({ id, said }) => ({ ...previewPython(said, id), id, kind: 'python' }),
  },
  file: {
    open({ path }, options, within) {
      const here = [...within, path];
      const { home, editor, allow } = options;
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
    },
    preview({ path }, options, within) {
      const here = [...within, path];
      const { home, insideEditor = false } = options;
      return previewEvaluatorFile(path, {
        insideEditor,
        preview: (inner, wish) => previewWithin(inner, { ...options, ...wish }, here),
        previewFolder: (named, regions, wish) =>
          previewFolder(folderNamed(named, { home, within: here }), { ...options, ...wish }, regions),
      });
    },
  },
};

function kindOf<R extends Reference>({ type }: R): Kind<R> {
  return kinds[type] as Kind<R>;
}

function openReference(
  reference: Reference,
  options: Options,
  within: readonly string[],
): Promise<Evaluator> {
  return kindOf(reference).open(reference, options, within);
}

function preview(
  reference: Reference,
  options: Previewing,
  within: readonly string[],
): Promise<EvaluatorPreview> {
  return kindOf(reference).preview(reference, options, within);
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

async function previewFolder(
  { id, path }: FolderReference,
  options: Previewing,
  regions?: string,
): Promise<EvaluatorPreview> {
  const folder = new ModelFolder(path, options.resize);
  const { info } = await describeFolder(folder, id, runtimeOf(options), options.fingerprints, regions);
  return { ...info, size: folder.size(), sharedSpace: info.kind === 'dual-encoder', remote: false };
}
