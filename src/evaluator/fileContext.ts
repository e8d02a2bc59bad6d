import type * as z from 'zod/mini';
import type { CaptiousError } from '../base/errors';
import { type Words } from '../base/say';
import type { Allow, Evaluator, EvaluatorPreview } from './evaluator';
import type { RuntimeOptions } from './model/runtime';
import type { NameFolders } from '../dataset/images/nameFolders';
import type { References } from './overlap/references';
import type { PythonSaid } from './python/reference';
import type { RequestSink } from './judge/batch/batchModel';
import type { EditorModels } from './judge/editorModels';

/** Returns the API key of this name, or undefined if it does not exist. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

export type Wish = Pick<RuntimeOptions, 'resize'>;

export interface FileIdentity {
  path: string;
  /** The evaluator's id, taken from the name of the file, or of its folder for evaluator.json. */
  id: string;
  /** The `name` in the file, or the id if the file has no `name`. */
  name: string;
  /** Makes a path absolute. Relative paths start at the folder of the evaluator file. */
  place: (path: string) => string;
  /** Makes an error about a key of the file. */
  wrong: (key: string, message: Words, remedy?: Words) => CaptiousError;
}

export interface PreviewContext extends FileIdentity {
  /** Whether VS Code's language models are available. */
  insideEditor: boolean;
  /** Previews another evaluator. In `ref`, paths that begin with ./ or ../ start at the file's folder. */
  preview: (ref: string, wish?: Wish) => Promise<EvaluatorPreview>;
  /** Previews a model folder. `regions` is the folder of region features, if the model needs one. */
  previewFolder: (path: string, regions?: string, wish?: Wish) => Promise<EvaluatorPreview>;
}

export interface FileContext extends FileIdentity {
  open: (ref: string, wish?: Wish) => Promise<Evaluator>;
  openFolder: (path: string, regions?: string, wish?: Wish) => Promise<Evaluator>;
  openPython: (
    said: PythonSaid,
    own: { id: string; name?: string; path: string; batch?: number },
  ) => Promise<Evaluator>;
  home: string;
  /** Looks up API keys in environment variables or in the editor's secret storage. */
  secret: Secret;
  /** Whether the editor can store API keys. Error messages for missing keys depend on it. */
  storesKeys?: boolean;
  /** The editor's language models. Absent outside an editor. */
  editor?: EditorModels;
  allow?: Allow;
  /** Reads the reference captions, for evaluators that need them. Throws if they do not exist. */
  references: () => Promise<References>;
  /** The folders in the image names of the dataset, for evaluators that find images by name. */
  imageFolders?: () => Promise<NameFolders | undefined>;
  /** If set, judges write their requests here instead of sending them. */
  requests?: RequestSink;
  /** Receives messages for the user, for example that a process was restarted. */
  onNotice?: (message: string) => void;
}

/** An `EvaluatorPreview` without the fields that `previewEvaluatorFile` adds. */
export type KindPreview = Omit<EvaluatorPreview, 'id' | 'kind' | 'path'>;

/**
 * Opens and previews evaluators from one kind of file. `preview` throws most errors that `make` would throw,
 * but contacts no server and starts no Python.
 */
export interface FileKind<S> {
  schema: z.ZodMiniObject;
  preview: (said: S, context: PreviewContext) => KindPreview | Promise<KindPreview>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}
